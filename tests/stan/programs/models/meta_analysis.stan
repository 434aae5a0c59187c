// log odds ratios of trials, exact binomial likelihood
data {
  int<lower=1> J;
  array[J] int<lower=0> n_t;
  array[J] int<lower=0> r_t;
  array[J] int<lower=0> n_c;
  array[J] int<lower=0> r_c;
}
parameters {
  real d;
  real<lower=0> tau_squared;
  vector[J] mu;
  vector[J] delta;
  real delta_new;
}
transformed parameters {
  real<lower=0> tau = sqrt(tau_squared);
}
model {
  r_t ~ binomial_logit(n_t, mu + delta);
  r_c ~ binomial_logit(n_c, mu);
  delta ~ student_t(4, d, tau);
  delta_new ~ student_t(4, d, tau);
  mu ~ normal(0, sqrt(1E5));
  d ~ normal(0, 1E3);
  tau_squared ~ inv_gamma(1E-3, 1E-3);
}
