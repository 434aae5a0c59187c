// the predictor is seen with known error
data {
  int<lower=1> N;
  vector[N] x_seen;
  vector<lower=0>[N] tau;
  vector[N] y;
}
parameters {
  vector[N] x;
  real mu_x;
  real<lower=0> sigma_x;
  real alpha;
  real beta;
  real<lower=0> sigma;
}
model {
  x ~ normal(mu_x, sigma_x);
  x_seen ~ normal(x, tau);
  y ~ normal(alpha + beta * x, sigma);
  {alpha, beta, mu_x} ~ normal(0, 10);
  {sigma, sigma_x} ~ cauchy(0, 5);
}
