data {
  int<lower=2> C;
  int<lower=0> N;
  array[N] int<lower=1, upper=C> y;
  matrix[N, 2] X;
}
parameters {
  ordered[C - 1] c;
  array[N] ordered[C - 1] cs;
  vector[2] beta;
  real eta;
}
model {
  y ~ ordered_logistic(X * beta, c);
  y ~ ordered_logistic(X * beta, cs);
  y[1] ~ ordered_logistic(eta, c);
  y ~ ordered_probit(X * beta, c);
  y[2] ~ ordered_probit(eta, c);
  y ~ ordered_probit(rep_vector(eta, N), cs);
  y ~ ordered_logistic_glm(X, beta, c);
  target += ordered_logistic_lpmf(y | X * beta, [-1, 0, 1]') + ordered_probit_lpmf(3 | eta, c);
  target += ordered_logistic_glm_lpmf(y | X, beta, c) + ordered_logistic_lpmf(2 | 40.0, c);
  c ~ normal(0, 3);
  for (n in 1 : N) {
    cs[n] ~ normal(c, 1);
  }
  eta ~ normal(0, 1);
  beta ~ normal(0, 1);
}
