model {
  real x = {1, 2, 3}[1:2:3];
}
