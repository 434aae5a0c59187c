// events and censored cases in separate vectors
data {
  int<lower=0> N_event;
  int<lower=0> N_cens;
  int<lower=1> K;
  vector<lower=0>[N_event] t_event;
  vector<lower=0>[N_cens] t_cens;
  matrix[N_event, K] x_event;
  matrix[N_cens, K] x_cens;
}
parameters {
  real<lower=0> shape;
  real mu;
  vector[K] beta;
}
model {
  shape ~ gamma(2, 1);
  mu ~ normal(0, 3);
  beta ~ normal(0, 1);
  target += weibull_lpdf(t_event | shape, exp(-(mu + x_event * beta) / shape));
  target += weibull_lccdf(t_cens | shape, exp(-(mu + x_cens * beta) / shape));
}
generated quantities {
  real median_ = exp(-mu / shape) * log(2) ^ (1 / shape);
}
