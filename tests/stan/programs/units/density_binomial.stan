data {
  int<lower=0> K;
  array[K] int<lower=0> n;
  array[K] int<lower=0> y;
  matrix[K, 2] X;
}
parameters {
  real<lower=0, upper=1> p;
  vector<lower=0, upper=1>[K] ps;
  real a;
  vector[2] b;
}
model {
  y ~ binomial(n, p);
  y ~ binomial(n, ps);
  y[2] ~ binomial(n[2], p) T[1, 6];
  y ~ binomial_logit(n, a + X * b);
  y[1] ~ binomial_logit(n[1], a);
  y ~ binomial_logit_glm(n, X, a, b);
  target += binomial_lpmf(y | n, 0.25) + binomial_lpmf(3 | 10, ps);
  target += binomial_logit_lpmf(y | n, b[1]) + binomial_logit_glm_lpmf(y | n, X, 0.5, b);
  target += binomial_lcdf(y | n, p) + binomial_lccdf(y | n, ps) + binomial_cdf(2 | 5, p);
  p ~ beta(2, 2);
  ps ~ beta(4, 3);
  a ~ normal(0, 1.5);
  b ~ std_normal();
}
