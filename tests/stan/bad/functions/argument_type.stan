functions {
  real f(simplex x) {
    return x[1];
  }
}
