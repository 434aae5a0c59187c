functions {
  real my_lupdf(real x) {
    return -x;
  }
}
