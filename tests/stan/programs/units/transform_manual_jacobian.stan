// a change of variables by hand
parameters {
  real x;
  vector[2] raw;
  real<lower=0> y;
}
transformed parameters {
  real<lower=0> s = exp(x);
  vector[2] p = inv_logit(raw);
}
model {
  s ~ gamma(3, 2);
  target += x;
  p ~ beta(2, 4);
  target += sum(log_inv_logit(raw) + log1m_inv_logit(raw));
  log(y) ~ normal(0, 1);
  target += -log(y);
}
