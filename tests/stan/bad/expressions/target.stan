model {
  real x = target;
}
