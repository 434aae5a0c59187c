functions {
  vector rhs(vector y, real t) {
    return -y;
  }
}
transformed data {
  array[1] vector[1] y = ode_rk45(rhs, [1]', 0, {1});
}
