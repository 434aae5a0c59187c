// times sorted downwards: risk sets are prefixes
data {
  int<lower=1> N;
  int<lower=1> K;
  array[N] int<lower=0, upper=1> event;
  matrix[N, K] X;
}
parameters {
  vector[K] beta;
}
model {
  vector[N] eta = X * beta;
  beta ~ normal(0, 2);
  for (n in 1 : N) {
    if (event[n])
      target += eta[n] - log_sum_exp(eta[1 : n]);
  }
}
