model {
  # a comment
  real x;
}
