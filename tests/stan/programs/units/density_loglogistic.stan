data {
  int<lower=0> N;
  vector<lower=0>[N] y;
}
parameters {
  real<lower=0> alpha;
  real<lower=0> beta;
  vector<lower=0>[N] x;
}
model {
  y ~ loglogistic(alpha, beta);
  x ~ loglogistic(2, 3);
  x ~ loglogistic(y, beta);
  alpha ~ loglogistic(1, 2);
  beta ~ lognormal(0.5, 0.5);
  target += loglogistic_lpdf(y | 1.5, beta) + loglogistic_lpdf(y | 2, 2);
  target += loglogistic_cdf(x[1] | alpha, beta);
}
