data {
  int<lower=0> N;
  vector<lower=0>[N] y;
}
parameters {
  real mu;
  real<lower=0> sigma;
  vector<lower=0>[N] z;
  real<lower=0, upper=3> w;
}
model {
  y ~ lognormal(mu, sigma);
  z ~ lognormal(log(y), sigma);
  sigma ~ lognormal(0, 1);
  w ~ lognormal(mu, 1) T[, 3];
  target += lognormal_lpdf(z | 0, 1);
  target += lognormal_lpdf(y | 0, sigma);
  target += lognormal_lcdf(z | mu, sigma) + lognormal_lccdf(y | mu, sigma);
  target += lognormal_cdf(2.5 | mu, sigma);
  mu ~ std_normal();
}
