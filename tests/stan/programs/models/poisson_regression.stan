// counts with known exposure
data {
  int<lower=1> N;
  vector<lower=0>[N] exposure;
  vector[N] x;
  array[N] int<lower=0> y;
}
transformed data {
  vector[N] log_exposure = log(exposure);
}
parameters {
  real alpha;
  real beta;
}
model {
  alpha ~ normal(0, 5);
  beta ~ normal(0, 1);
  y ~ poisson_log(log_exposure + alpha + beta * x);
}
generated quantities {
  vector[N] rate = exp(alpha + beta * x);
}
