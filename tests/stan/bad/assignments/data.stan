data {
  real y;
}
transformed data {
  y = 1;
}
