generated {
  real x;
}
