parameters {
  real x = 1;
}
