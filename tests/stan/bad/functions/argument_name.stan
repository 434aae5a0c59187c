functions {
  real f(real) {
    return 1;
  }
}
