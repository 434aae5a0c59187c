data {
  int<lower=0> N;
  vector[N] y;
}
parameters {
  real mu;
  real<lower=0> beta;
  vector[N] mus;
}
model {
  y ~ gumbel(mu, beta);
  y ~ gumbel(mus, beta);
  mus ~ gumbel(0, 2);
  mu ~ gumbel(1, 1.5);
  beta ~ gumbel(1, 1);
  target += gumbel_lpdf(y | 0.3, beta);
  target += gumbel_lcdf(mus | mu, beta) + gumbel_lccdf(y | mu, beta);
  target += log(gumbel_cdf(mu | 0, 2));
}
