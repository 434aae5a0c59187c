functions {
  real f(real x, complex y) {
    return x;
  }
  real f(complex x, real y) {
    return y;
  }
}
transformed data {
  real y = f(1, 2);
}
