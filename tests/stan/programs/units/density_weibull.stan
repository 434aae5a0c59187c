data {
  int<lower=0> N;
  vector<lower=0>[N] y;
}
parameters {
  real<lower=0> alpha;
  real<lower=0> sigma;
  vector<lower=0>[N] sigmas;
  real<lower=1> late;
}
model {
  y ~ weibull(alpha, sigma);
  y ~ weibull(alpha, sigmas);
  sigmas ~ weibull(2, 1.5);
  alpha ~ weibull(1.5, 2);
  sigma ~ weibull(alpha, 3);
  late ~ weibull(alpha, sigma) T[1, ];
  target += weibull_lpdf(y | 1.2, sigma) + weibull_lpdf(y | 2, 2);
  target += weibull_lcdf(y | alpha, sigma) + weibull_lccdf(sigmas | alpha, sigma);
  target += weibull_cdf(late | alpha, sigma);
}
