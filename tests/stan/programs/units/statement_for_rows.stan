data {
  int<lower=0> N;
  vector[N] x;
  vector[N] y;
  array[N] int<lower=0> k;
}
parameters {
  real a;
  real b;
  real<lower=0> s;
}
model {
  for (n in 1 : N) {
    y[n] ~ normal(a + b * x[n], s);
  }
  for (n in 1 : N) {
    real eta = a - b * x[n];
    target += poisson_log_lpmf(k[n] | eta);
    target += -0.01 * square(eta);
  }
  for (n in 1 : N) k[n] ~ poisson(exp(a) + s);
  a ~ normal(0, 2);
  b ~ normal(0, 2);
}
