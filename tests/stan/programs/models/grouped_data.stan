// interval-censored measurements: rounding
data {
  int<lower=0> N;
  vector[N] y;
}
parameters {
  real mu;
  real<lower=0> sigma;
}
model {
  mu ~ normal(0, 10);
  sigma ~ inv_gamma(1, 1);
  for (n in 1 : N) {
    target += log_diff_exp(normal_lcdf(y[n] + 0.5 | mu, sigma), normal_lcdf(y[n] - 0.5 | mu, sigma));
  }
}
generated quantities {
  vector[N] middle = y;
}
