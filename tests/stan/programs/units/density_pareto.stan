data {
  int<lower=0> N;
  vector<lower=1>[N] y;
}
parameters {
  real<lower=0, upper=1> y_min;
  real<lower=0> alpha;
  vector<lower=2>[N] x;
}
model {
  y ~ pareto(y_min, alpha);
  x ~ pareto(2, alpha);
  x ~ pareto(y_min, 1.5);
  alpha ~ gamma(2, 1);
  target += pareto_lpdf(y | 0.5, alpha) + pareto_lpdf(y | 0.5, 2);
  target += pareto_lcdf(x | y_min, alpha) + pareto_lccdf(y | y_min, alpha);
  target += pareto_cdf(x | 1, alpha);
}
