data {
  int<lower=1> N;
  int<lower=1> J;
  int<lower=1> K;
  array[N] int<lower=1, upper=J> group;
  array[N] row_vector[K] x;
  array[N] int<lower=0, upper=1> y;
}
parameters {
  vector[K] mu;
  vector<lower=0>[K] tau;
  corr_matrix[K] Omega;
  array[J] vector[K] b;
}
model {
  vector[N] eta;
  mu ~ normal(0, 2);
  tau ~ cauchy(0, 2.5);
  Omega ~ lkj_corr(2);
  b ~ multi_normal(mu, quad_form_diag(Omega, tau));
  for (n in 1 : N) {
    eta[n] = x[n] * b[group[n]];
  }
  y ~ bernoulli_logit(eta);
}
