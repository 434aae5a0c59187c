data {
  int<lower=0> N;
  array[N] real y;
}
parameters {
  real mu;
  real<lower=0> sigma;
  array[N] real theta;
  real<lower=0, upper=10> w;
}
model {
  mu ~ cauchy(0, 5);
  sigma ~ cauchy(0, 2.5);
  y ~ cauchy(mu, sigma);
  theta ~ cauchy(y, sigma);
  target += cauchy_lpdf(y | theta, 3);
  target += cauchy_lpdf(1e5 | mu, sigma);
  target += cauchy_lcdf(y | mu, sigma) + cauchy_lccdf(theta | mu, 2);
  target += cauchy_cdf(mu | 0, sigma);
  w ~ cauchy(mu, sigma) T[0, 10];
}
