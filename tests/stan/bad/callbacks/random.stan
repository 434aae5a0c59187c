functions {
  vector rhs_rng(real t, vector y) {
    return -y;
  }
}
transformed data {
  array[1] vector[1] y = ode_rk45(rhs_rng, [1]', 0, {1});
}
