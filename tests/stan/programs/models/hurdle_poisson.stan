data {
  int<lower=0> N;
  array[N] int<lower=0> y;
}
transformed data {
  int<lower=0> N_zero = 0;
  array[N] int positive;
  int n_positive = 0;
  for (n in 1 : N) {
    N_zero += y[n] == 0;
    if (y[n] > 0) {
      n_positive += 1;
      positive[n_positive] = y[n];
    }
  }
}
parameters {
  real<lower=0, upper=1> theta;
  real<lower=0> lambda;
}
model {
  N_zero ~ binomial(N, theta);
  positive[ : n_positive] ~ poisson(lambda);
  target += -n_positive * log1m_exp(-lambda);
  for (n in 1 : n_positive) {
    positive[n] ~ poisson(lambda) T[1, ];
  }
  lambda ~ gamma(2, 0.5);
}
