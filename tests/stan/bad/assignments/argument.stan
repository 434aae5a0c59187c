functions {
  real f(real x) {
    x += 1;
    return x;
  }
}
