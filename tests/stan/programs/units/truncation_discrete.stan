data {
  int<lower=0> N;
  array[N] int<lower=1> y;
  array[N] int<lower=1> lo;
}
parameters {
  real<lower=0> lambda;
  real<lower=0> phi;
  real<lower=0, upper=1> p;
}
model {
  for (n in 1 : N) {
    y[n] ~ poisson(lambda) T[1, ];
    y[n] ~ poisson(lambda) T[lo[n], 9];
    y[n] ~ poisson(lambda) T[, 9];
    y[n] ~ neg_binomial_2(lambda, phi) T[1, ];
    y[n] ~ neg_binomial(phi, 1) T[1, 8];
    y[n] ~ binomial(10, p) T[1, 9];
    y[n] ~ binomial(10, p) T[lo[n], ];
    y[n] ~ beta_binomial(10, lambda, phi) T[, 9];
  }
  lambda ~ gamma(4, 1);
  phi ~ gamma(2, 1);
  p ~ beta(2, 2);
}
