// Variance components: the yield of dyestuff varies between batches and within them.
data {
  int<lower=1> batches;
  int<lower=1> samples;
  array[batches] vector[samples] yield;
}
parameters {
  real theta;
  real<lower=0> sigma_between;
  real<lower=0> sigma_within;
  vector[batches] mu;
}
model {
  theta ~ normal(1500, 500);
  sigma_between ~ cauchy(0, 50);
  sigma_within ~ cauchy(0, 50);
  mu ~ normal(theta, sigma_between);
  for (b in 1:batches) {
    yield[b] ~ normal(mu[b], sigma_within);
  }
}
