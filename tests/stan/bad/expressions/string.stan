model {
  real x = "one";
}
