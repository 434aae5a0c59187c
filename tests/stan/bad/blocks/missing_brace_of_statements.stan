model {
  real x = 1;

generated quantities {
}
