functions {
  real sign(real x) {
    if (x > 0) {
      return 1;
    } else if (x < 0) {
      return -1;
    }
  }
}
