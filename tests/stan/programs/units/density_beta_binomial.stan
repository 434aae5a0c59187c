data {
  int<lower=0> K;
  array[K] int<lower=0> n;
  array[K] int<lower=0> y;
}
parameters {
  real<lower=0> a;
  real<lower=0> b;
  vector<lower=0>[K] as;
}
model {
  y ~ beta_binomial(n, a, b);
  y ~ beta_binomial(n, as, b);
  y[1] ~ beta_binomial(n[1], 2, b);
  target += beta_binomial_lpmf(y | n, 1, 1) + beta_binomial_lpmf(4 | 9, a, 2);
  target += beta_binomial_lcdf(y | n, a, b) + beta_binomial_lccdf(y | n, a, b);
  target += beta_binomial_cdf(2 | 6, a, b);
  a ~ gamma(3, 1);
  b ~ gamma(3, 1);
  as ~ gamma(2, a);
}
