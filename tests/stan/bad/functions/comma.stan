functions {
  real f(real x real y) {
    return x;
  }
}
