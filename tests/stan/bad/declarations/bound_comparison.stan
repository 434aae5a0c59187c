data {
  int a;
  real<lower=a > 2, upper=3> x;
}
