functions {
  real my_lpmf(vector x) {
    return -sum(x);
  }
}
