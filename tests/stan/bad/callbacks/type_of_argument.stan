functions {
  vector rhs(real t, vector y, real rate) {
    return -rate * y;
  }
}
transformed data {
  array[1] vector[1] y = ode_rk45(rhs, [1]', 0, {1}, [2]');
}
