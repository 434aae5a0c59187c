functions {
  real ode_rk45(real x) {
    return x;
  }
}
