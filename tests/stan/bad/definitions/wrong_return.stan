functions {
  vector halves(vector x) {
    return x' / 2;
  }
}
