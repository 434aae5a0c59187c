data {
  int<lower=0> N;
  vector<lower=0>[N] y;
}
parameters {
  real<lower=0> alpha;
  real<lower=0> sigma;
  vector<lower=0>[N] x;
}
model {
  y ~ frechet(alpha, sigma);
  x ~ frechet(2, sigma);
  alpha ~ frechet(3, 1);
  sigma ~ frechet(alpha, 2);
  target += frechet_lpdf(y | alpha, 1.5) + frechet_lpdf(y | 2, 2);
  target += frechet_lcdf(x | alpha, sigma) + frechet_lccdf(y | alpha, sigma);
  target += frechet_cdf(x | 2, sigma);
}
