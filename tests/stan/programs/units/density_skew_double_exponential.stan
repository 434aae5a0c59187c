data {
  int<lower=0> N;
  vector[N] y;
}
parameters {
  real mu;
  real<lower=0> sigma;
  real<lower=0, upper=1> tau;
  vector<lower=0, upper=1>[N] taus;
}
model {
  y ~ skew_double_exponential(mu, sigma, tau);
  y ~ skew_double_exponential(mu, 2, taus);
  mu ~ skew_double_exponential(0, 1, 0.25);
  target += skew_double_exponential_lpdf(y | 1, sigma, 0.7);
  target += skew_double_exponential_lcdf(y | mu, sigma, tau);
  target += skew_double_exponential_lccdf(mu | 0, sigma, taus);
  sigma ~ exponential(0.5);
  tau ~ beta(2, 3);
}
