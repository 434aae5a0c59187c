model {
  real x = 2 ** 3;
}
