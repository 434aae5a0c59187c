// log standard deviation linear in the predictor
data {
  int<lower=1> N;
  vector[N] x;
  vector[N] y;
}
parameters {
  vector[2] b;
  vector[2] g;
}
model {
  vector[N] mu = b[1] + b[2] * x;
  vector[N] log_sd = g[1] + g[2] * x;
  for (n in 1 : N) {
    target += -log_sd[n] - 0.5 * square((y[n] - mu[n]) / exp(log_sd[n]));
  }
  b ~ normal(0, 3);
  g ~ normal(0, 1);
}
