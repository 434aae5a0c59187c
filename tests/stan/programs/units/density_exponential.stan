data {
  int<lower=0> N;
  vector<lower=0>[N] y;
}
parameters {
  real<lower=0> beta;
  vector<lower=0>[N] betas;
  real<lower=0, upper=4> u;
}
model {
  y ~ exponential(beta);
  y ~ exponential(betas);
  betas ~ exponential(1);
  beta ~ exponential(0.5);
  u ~ exponential(beta) T[, 4];
  target += exponential_lpdf(y | 2) + exponential_lpdf(u | 3);
  target += exponential_lcdf(y | beta) + exponential_lccdf(betas | beta);
  target += exponential_cdf(u | beta);
}
