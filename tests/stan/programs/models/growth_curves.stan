// weights at common ages; each individual has its own line
data {
  int<lower=1> I;
  int<lower=1> T;
  array[T] real age;
  array[I, T] real y;
  real age_bar;
}
parameters {
  array[I] real alpha;
  array[I] real beta;
  real mu_alpha;
  real mu_beta;
  real<lower=0> var_y;
  real<lower=0> var_alpha;
  real<lower=0> var_beta;
}
transformed parameters {
  real<lower=0> sd_y;
  real<lower=0> sd_alpha;
  real<lower=0> sd_beta;
  sd_y = sqrt(var_y);
  sd_alpha = sqrt(var_alpha);
  sd_beta = sqrt(var_beta);
}
model {
  mu_alpha ~ normal(0, 100);
  mu_beta ~ normal(0, 100);
  var_y ~ inv_gamma(0.001, 0.001);
  var_alpha ~ inv_gamma(0.001, 0.001);
  var_beta ~ inv_gamma(0.001, 0.001);
  alpha ~ normal(mu_alpha, sd_alpha);
  beta ~ normal(mu_beta, sd_beta);
  for (i in 1 : I)
    for (t in 1 : T)
      y[i, t] ~ normal(alpha[i] + beta[i] * (age[t] - age_bar), sd_y);
}
generated quantities {
  real alpha0 = mu_alpha - mu_beta * age_bar;
}
