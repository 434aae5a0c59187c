// Growth of young rats: a line for each, whose intercept and slope are bivariate normal.
data {
  int<lower=1> rats;
  int<lower=1> weeks;
  vector[weeks] day;
  array[rats] vector[weeks] weight;
}
transformed data {
  matrix[2, 2] prior_scale = diag_matrix([200, 0.2]');
}
parameters {
  array[rats] vector[2] beta;
  vector[2] mu_beta;
  cov_matrix[2] Sigma_beta;
  real<lower=0> sigma;
}
model {
  mu_beta ~ normal(0, 300);
  Sigma_beta ~ inv_wishart(2, prior_scale);
  sigma ~ cauchy(0, 10);
  beta ~ multi_normal(mu_beta, Sigma_beta);
  for (n in 1:rats) {
    weight[n] ~ normal(beta[n, 1] + beta[n, 2] * day, sigma);
  }
}
