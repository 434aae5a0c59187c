functions {
  void show(real x) {
    print(x);
  }
}
transformed data {
  real y = show(1);
}
