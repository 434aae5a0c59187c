// missing entries of a column are parameters, put into place by index
data {
  int<lower=1> N;
  int<lower=0> M;
  array[M] int<lower=1, upper=N> missing;
  array[N - M] int<lower=1, upper=N> seen;
  vector[N - M] x_seen;
  vector[N] y;
}
parameters {
  vector[M] x_missing;
  real mu_x;
  real<lower=0> sigma_x;
  vector[2] b;
  real<lower=0> sigma;
}
transformed parameters {
  vector[N] x;
  x[seen] = x_seen;
  x[missing] = x_missing;
}
model {
  x ~ normal(mu_x, sigma_x);
  y ~ normal(b[1] + b[2] * x, sigma);
  b ~ normal(0, 2);
  mu_x ~ normal(0, 2);
  {sigma_x, sigma} ~ exponential(1);
}
