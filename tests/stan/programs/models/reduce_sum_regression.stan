functions {
  real slice_lpmf(array[] int y, int start, int end, matrix X, vector b) {
    return poisson_log_lpmf(y | X[start : end] * b);
  }
}
data {
  int<lower=0> N;
  int<lower=1> K;
  matrix[N, K] X;
  array[N] int<lower=0> y;
  int<lower=1> grain;
}
parameters {
  vector[K] b;
}
model {
  b ~ normal(0, 1);
  target += reduce_sum(slice_lupmf, y, grain, X, b);
}
