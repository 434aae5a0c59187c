data {
  int<lower=0> N;
  vector<lower=0>[N] y;
}
parameters {
  real<upper=0> mu;
  real<lower=0> lambda;
  real<lower=0> alpha;
  vector<lower=0>[N] x;
}
model {
  y ~ pareto_type_2(mu, lambda, alpha);
  x ~ pareto_type_2(0, lambda, 2);
  lambda ~ pareto_type_2(0, 1, 2);
  -mu ~ pareto_type_2(0, 2, alpha);
  alpha ~ gamma(2, 1);
  target += pareto_type_2_lpdf(y | -0.5, 1, alpha);
  target += pareto_type_2_lcdf(x | mu, lambda, alpha);
  target += pareto_type_2_lccdf(y | mu, lambda, alpha);
  target += pareto_type_2_cdf(x | mu, 2, 3);
}
