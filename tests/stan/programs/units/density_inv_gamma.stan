data {
  int<lower=0> N;
  vector<lower=0>[N] y;
}
parameters {
  real<lower=0> alpha;
  real<lower=0> beta;
  vector<lower=0>[N] s2;
}
model {
  y ~ inv_gamma(alpha, beta);
  s2 ~ inv_gamma(2, 3);
  s2 ~ inv_gamma(alpha, y);
  alpha ~ inv_gamma(1, 1);
  beta ~ inv_gamma(0.001, 0.001);
  target += inv_gamma_lpdf(y | 4, beta) + inv_gamma_lpdf(y | 1, 1);
  target += inv_gamma_lcdf(s2 | 3, beta) + inv_gamma_lccdf(y | alpha, beta);
  target += inv_gamma_cdf(beta | 2, 1);
}
