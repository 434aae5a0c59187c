data {
  int<lower=0> N;
  array[N] int<lower=0, upper=1> y;
  vector[N] x;
  matrix[N, 2] X;
}
parameters {
  real<lower=0, upper=1> theta;
  vector<lower=0, upper=1>[N] thetas;
  real alpha;
  vector[2] beta;
  vector[N] alphas;
}
model {
  y ~ bernoulli(theta);
  y ~ bernoulli(thetas);
  y[1] ~ bernoulli(theta);
  y ~ bernoulli_logit(alpha + x * beta[1]);
  y[2] ~ bernoulli_logit(alpha);
  y ~ bernoulli_logit_glm(X, alpha, beta);
  y ~ bernoulli_logit_glm(X, alphas, beta);
  target += bernoulli_lpmf(y | 0.3) + bernoulli_logit_lpmf(y | alphas);
  target += bernoulli_logit_lpmf(y | 30 * alpha) + bernoulli_logit_lpmf(1 | -50);
  target += bernoulli_logit_glm_lpmf(y | X, 0.2, beta);
  target += bernoulli_lcdf(0 | theta) + bernoulli_lccdf(0 | theta) + bernoulli_cdf(0 | theta);
  append_row(alphas, beta) ~ normal(alpha, 2);
  alpha ~ normal(0, 2);
}
