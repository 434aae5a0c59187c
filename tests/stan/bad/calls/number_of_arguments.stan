functions {
  real weigh(real x, real w) {
    return x * w;
  }
}
transformed data {
  real y = weigh(2);
}
