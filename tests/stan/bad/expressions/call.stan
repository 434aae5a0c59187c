model {
  real x = log(1 2);
}
