data {
  int<lower=1> N;
  int<lower=1> K;
  matrix[N, K] X;
  array[N] int<lower=0> y;
}
parameters {
  real alpha;
  vector[K] beta;
  real<lower=0> inv_phi;
}
transformed parameters {
  real phi = inv(inv_phi);
}
model {
  alpha ~ normal(0, 3);
  beta ~ normal(0, 1);
  inv_phi ~ exponential(1);
  y ~ neg_binomial_2_log(alpha + X * beta, phi);
}
