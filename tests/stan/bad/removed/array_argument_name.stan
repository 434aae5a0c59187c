functions {
  real total(real x[]) {
    return sum(x);
  }
}
