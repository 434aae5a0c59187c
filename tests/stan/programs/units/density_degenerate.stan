// empty variates, zero counts and values at the edge of the support
data {
  int<lower=0> Z;
  vector[Z] none;
  array[Z] int nothing;
}
parameters {
  real<lower=0, upper=1> p;
  real<lower=0> lambda;
  vector[Z] empty;
}
model {
  none ~ normal(lambda, 1);
  nothing ~ poisson(lambda);
  empty ~ normal(0, lambda);
  target += normal_lpdf(none | p, lambda) + bernoulli_lpmf(nothing | p);
  0 ~ binomial(5, p);
  5 ~ binomial(5, p);
  0 ~ poisson(lambda);
  0 ~ neg_binomial_2(lambda, p);
  0 ~ beta_binomial(3, p, lambda);
  {0, 0, 4} ~ multinomial([p / 2, p / 2, 1 - p]');
  0 ~ exponential(lambda);
  target += binomial_lpmf(0 | 0, p) + uniform_lpdf(1 | 0, 1) + gamma_lpdf(1e-300 | 1, lambda);
  target += uniform_lcdf(0.5 | 0, 1 + lambda) + poisson_lcdf(0 | lambda);
  lambda ~ lognormal(0, 1);
}
