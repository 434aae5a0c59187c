data {
  int a;
  real<lower=a>b> x;
}
