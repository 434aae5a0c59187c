// two components with a common spread and unequal shares
data {
  int<lower=0> N;
  vector[N] y;
}
parameters {
  real mu1;
  real<lower=mu1> mu2;
  real<lower=0> sigma;
  real<lower=0, upper=1> lambda;
}
model {
  {mu1, mu2} ~ normal(0, 10);
  sigma ~ cauchy(0, 2);
  lambda ~ beta(5, 5);
  for (n in 1 : N)
    target += log_mix(lambda, normal_lpdf(y[n] | mu1, sigma), normal_lpdf(y[n] | mu2, sigma));
}
generated quantities {
  vector[N] share;
  for (n in 1 : N) {
    real a = log(lambda) + normal_lpdf(y[n] | mu1, sigma);
    real b = log1m(lambda) + normal_lpdf(y[n] | mu2, sigma);
    share[n] = exp(a - log_sum_exp(a, b));
  }
}
