data {
  int<lower=0> N;
  vector<lower=0>[N] y;
}
parameters {
  real<lower=0> alpha;
  real<lower=0> beta;
  vector<lower=0>[N] alphas;
  real<lower=0> x;
}
model {
  y ~ gamma(alpha, beta);
  y ~ gamma(alphas, beta);
  alphas ~ gamma(2, beta);
  alpha ~ gamma(1.5, 0.5);
  beta ~ gamma(1e-3, 1e-3);
  x ~ gamma(alpha, 1);
  target += gamma_lpdf(y | 2, 3) + gamma_lpdf(x | 3, beta);
  target += gamma_lcdf(x | 2.5, beta) + gamma_lccdf(y | alpha, beta);
  target += log(gamma_cdf(x | alpha, beta));
}
