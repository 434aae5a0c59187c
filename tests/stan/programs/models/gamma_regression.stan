data {
  int<lower=1> N;
  vector[N] x;
  vector<lower=0>[N] y;
}
parameters {
  real a;
  real b;
  real<lower=0> shape;
}
model {
  vector[N] mu = exp(a + b * x);
  a ~ normal(0, 2);
  b ~ normal(0, 2);
  shape ~ gamma(2, 0.5);
  y ~ gamma(shape, shape ./ mu);
}
