data {
  int<lower=0> N;
  vector[N] y;
}
parameters {
  vector[N] mu;
  vector<lower=0>[N] sigma;
  real a;
}
model {
  y ~ logistic(mu, sigma);
  a ~ logistic(0, 1);
  mu ~ logistic(a, 2);
  sigma ~ logistic(1, 0.5);
  target += logistic_lpdf(y | a, 3);
  target += logistic_lpdf(900.0 | a, 1) + logistic_lpdf(-900.0 | a, 1);
  target += logistic_lcdf(y | a, sigma) + logistic_lccdf(mu | 0, sigma);
  target += logistic_cdf(a | 1, 2);
}
