data {
  real n;
  vector[n] y;
}
