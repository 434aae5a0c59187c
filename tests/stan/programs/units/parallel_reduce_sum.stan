functions {
  real partial(array[] int y, int start, int end, vector x, real a, vector b) {
    return bernoulli_logit_lpmf(y | a + b[1] * x[start : end]);
  }
  real rows_of(array[] vector rows_, int start, int end, real s) {
    real acc = 0;
    for (i in 1 : size(rows_))
      acc += normal_lpdf(rows_[i] | start + i, s);
    return acc + 0 * end;
  }
  real partial_lpmf(array[] int y, int start, int end, vector mu) {
    return poisson_log_lupmf(y | mu[start : end]);
  }
}
data {
  int<lower=0> N;
  array[N] int<lower=0, upper=1> y;
  array[N] int<lower=0> k;
  vector[N] x;
}
parameters {
  real a;
  vector[1] b;
  vector[N] mu;
  array[3] vector[2] rows_;
  real<lower=0> s;
}
model {
  target += reduce_sum(partial, y, 1, x, a, b);
  target += reduce_sum(partial_lpmf, k, 2, mu);
  target += reduce_sum_static(rows_of, rows_, 1, s);
  {a, b[1]} ~ normal(0, 1);
  mu ~ normal(a, 1);
  s ~ exponential(1);
}
