functions {
  real log1p(real x) {
    return log(1 + x);
  }
}
