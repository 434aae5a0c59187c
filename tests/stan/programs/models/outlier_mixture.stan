// regression in which some rows may be outliers
data {
  int<lower=1> N;
  vector[N] x;
  vector[N] y;
  vector<lower=0>[N] sigma;
}
parameters {
  real m;
  real b;
  real<lower=0, upper=1> q;
  real y_bad;
  real<lower=0> v_bad;
}
transformed parameters {
  vector[N] log_good;
  vector[N] log_bad;
  for (n in 1 : N) {
    log_good[n] = log1m(q) + normal_lpdf(y[n] | m * x[n] + b, sigma[n]);
    log_bad[n] = log(q) + normal_lpdf(y[n] | y_bad, sqrt(v_bad + sigma[n] ^ 2));
  }
}
model {
  for (n in 1 : N)
    target += log_sum_exp(log_good[n], log_bad[n]);
  {m, b, y_bad} ~ normal(0, 5);
  v_bad ~ inv_gamma(2, 2);
}
