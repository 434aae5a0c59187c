data {
  int<lower=0> N;
  array[N] int<lower=0> y;
  matrix[N, 2] X;
}
parameters {
  real<lower=0> a;
  real<lower=0> b;
  vector<lower=0>[N] mu;
  real<lower=0> phi;
  vector[2] beta;
  real alpha;
}
model {
  y ~ neg_binomial(a, b);
  y ~ neg_binomial(mu, 2);
  y ~ neg_binomial_2(mu, phi);
  y[1] ~ neg_binomial_2(3.5, phi);
  y ~ neg_binomial_2_log(alpha + X * beta, phi);
  y ~ neg_binomial_2_log_glm(X, alpha, beta, phi);
  target += neg_binomial_lpmf(y | 2, b) + neg_binomial_2_lpmf(y | mu, 1e9);
  target += neg_binomial_2_log_lpmf(y | 0.5, phi) + neg_binomial_2_lpmf(y | 4, 2);
  target += neg_binomial_2_log_glm_lpmf(y | X, 0.1, beta, 3);
  target += neg_binomial_lcdf(y | a, b) + neg_binomial_lccdf(y | a, b);
  target += neg_binomial_2_lcdf(y | mu, phi) + neg_binomial_2_lccdf(y[2] | 3, phi);
  target += neg_binomial_cdf(2 | a, b) + neg_binomial_2_cdf(y | mu, phi);
  {a, b, phi} ~ gamma(2, 0.5);
  mu ~ gamma(2, 0.5);
  append_row(beta, alpha) ~ normal(0, 1);
}
