data {
  int<lower=0> N;
  vector[N] y;
}
parameters {
  real mu;
  real<lower=0> sigma;
  row_vector[N] theta;
  real<lower=-1> z;
}
model {
  y ~ double_exponential(mu, sigma);
  theta ~ double_exponential(0, sigma);
  z ~ double_exponential(mu, 1) T[-1, ];
  target += double_exponential_lpdf(y' | theta, 2);
  target += double_exponential_lcdf(theta | mu, sigma);
  target += double_exponential_lccdf(y | mu, sigma);
  target += log(double_exponential_cdf(mu | 0, sigma));
  mu ~ double_exponential(1, 3);
  sigma ~ exponential(1);
}
