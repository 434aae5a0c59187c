parameters {
  real x;
}
transformed parameters {
  int positive = x > 0;
}
