functions {
  real my_lpdf(int x) {
    return -x;
  }
}
