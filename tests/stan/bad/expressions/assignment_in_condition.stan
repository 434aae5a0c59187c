model {
  real x = 1;
  if (x = 1) {
  }
}
