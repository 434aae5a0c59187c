model {
  real x;
  x <- 3;
}
