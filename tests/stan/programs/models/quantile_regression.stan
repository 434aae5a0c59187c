// the 0.8 quantile through the asymmetric Laplace density
data {
  int<lower=1> N;
  vector[N] x;
  vector[N] y;
  real<lower=0, upper=1> tau;
}
parameters {
  real a;
  real b;
  real<lower=0> sigma;
}
model {
  for (n in 1 : N) {
    real u = (y[n] - a - b * x[n]) / sigma;
    target += log(tau * (1 - tau) / sigma) - u * (tau - (u < 0));
  }
  y ~ skew_double_exponential(a + b * x, 2 * sigma, tau);
  a ~ normal(0, 10);
  b ~ normal(0, 10);
  sigma ~ lognormal(0, 1);
}
