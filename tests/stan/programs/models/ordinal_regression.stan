data {
  int<lower=2> C;
  int<lower=1> N;
  int<lower=1> K;
  array[N] int<lower=1, upper=C> y;
  array[N] row_vector[K] x;
}
parameters {
  vector[K] beta;
  ordered[C - 1] c;
}
model {
  beta ~ normal(0, 2);
  c ~ normal(0, 5);
  for (n in 1 : N) {
    y[n] ~ ordered_logistic(x[n] * beta, c);
  }
}
