// the same, with the affine transform in the declaration
data {
  int<lower=0> J;
  vector[J] y;
  vector<lower=0>[J] sigma;
}
parameters {
  real mu;
  real<lower=0> tau;
  vector<offset=mu, multiplier=tau>[J] theta;
}
model {
  mu ~ normal(0, 5);
  tau ~ student_t(3, 0, 5);
  theta ~ normal(mu, tau);
  y ~ normal(theta, sigma);
}
