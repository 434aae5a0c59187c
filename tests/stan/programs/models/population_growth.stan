// stochastic logistic growth seen with error, on the log scale
data {
  int<lower=1> T;
  vector<lower=0>[T] y;
}
parameters {
  real log_n0;
  real<lower=0> r;
  real<lower=0> K;
  vector[T - 1] eps;
  real<lower=0> sigma_proc;
  real<lower=0> sigma_obs;
}
transformed parameters {
  vector[T] log_n;
  log_n[1] = log_n0;
  for (t in 1 : (T - 1)) {
    log_n[t + 1] = log_n[t] + r * (1 - exp(log_n[t]) / K) + sigma_proc * eps[t];
  }
}
model {
  log_n0 ~ normal(1, 1);
  r ~ lognormal(-1, 0.5);
  K ~ lognormal(3, 0.5);
  eps ~ std_normal();
  {sigma_proc, sigma_obs} ~ normal(0, 0.5);
  y ~ lognormal(log_n, sigma_obs);
}
