data {
  int<lower=0> N;
  array[N] int<lower=0> y;
  matrix[N, 2] X;
}
parameters {
  real<lower=0> lambda;
  vector<lower=0>[N] lambdas;
  real alpha;
  vector[2] beta;
  vector[N] alphas;
}
model {
  y ~ poisson(lambda);
  y ~ poisson(lambdas);
  y[2] ~ poisson(lambda) T[1, ];
  y[4] ~ poisson(lambda) T[, 5];
  y ~ poisson_log(alpha + X * beta);
  y ~ poisson_log(alphas);
  y ~ poisson_log_glm(X, alpha, beta);
  y ~ poisson_log_glm(X, alphas, beta);
  target += poisson_lpmf(y | 2.5) + poisson_lpmf(0 | lambda) + poisson_log_lpmf(y | 0.5);
  target += poisson_log_lpmf(3 | alpha) + poisson_log_glm_lpmf(y | X, 0, beta);
  target += poisson_lcdf(y | lambda) + poisson_lccdf(y | lambdas) + poisson_cdf(3 | lambda);
  lambda ~ gamma(2, 1);
  lambdas ~ gamma(2, 1);
  append_row(beta, alpha) ~ normal(0, 1);
  alphas ~ normal(alpha, 1);
}
