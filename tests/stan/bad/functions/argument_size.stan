functions {
  real f(vector[3] x) {
    return x[1];
  }
}
