data {
  int<lower=0> N;
  vector<lower=0, upper=1>[N] y;
}
parameters {
  real<lower=0, upper=1> mu;
  real<lower=0> kappa;
  vector<lower=0, upper=1>[N] mus;
}
model {
  y ~ beta_proportion(mu, kappa);
  y ~ beta_proportion(mus, kappa);
  mus ~ beta_proportion(0.4, 5);
  mu ~ beta_proportion(0.5, 2);
  kappa ~ gamma(4, 0.5);
  target += beta_proportion_lpdf(y | mu, 12) + beta_proportion_lpdf(y | 0.3, 4);
  target += beta_proportion_lcdf(mus | mu, kappa) + beta_proportion_lccdf(y | mu, kappa);
}
