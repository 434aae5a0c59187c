data {
  int<lower=0> N;
  vector[N] y;
}
parameters {
  real mu;
  real<lower=0> sigma;
  real<lower=0> lambda;
  vector<lower=0>[N] lambdas;
}
model {
  y ~ exp_mod_normal(mu, sigma, lambda);
  y ~ exp_mod_normal(mu, 1, lambdas);
  mu ~ exp_mod_normal(0, 1, 2);
  target += exp_mod_normal_lpdf(y | 0.5, sigma, 1.5);
  target += exp_mod_normal_lcdf(y | mu, sigma, lambda);
  target += exp_mod_normal_lccdf(y | mu, sigma, 0.5);
  target += exp_mod_normal_cdf(mu | 0, sigma, lambda);
  sigma ~ lognormal(0, 0.5);
  lambda ~ gamma(2, 2);
  lambdas ~ gamma(2, 2);
}
