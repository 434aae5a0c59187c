data {
  real y, x[3];
}
