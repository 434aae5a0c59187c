// households in counties: floor as household predictor, a county-level predictor for intercepts
data {
  int<lower=1> N;
  int<lower=1> J;
  array[N] int<lower=1, upper=J> county;
  vector[N] floor_;
  vector[J] u;
  vector[N] y;
}
parameters {
  vector[J] alpha;
  real beta;
  real gamma0;
  real gamma1;
  real<lower=0> sigma_y;
  real<lower=0> sigma_a;
}
transformed parameters {
  vector[N] y_hat;
  vector[J] m;
  for (j in 1 : J) {
    m[j] = gamma0 + gamma1 * u[j];
  }
  for (i in 1 : N) {
    y_hat[i] = alpha[county[i]] + beta * floor_[i];
  }
}
model {
  alpha ~ normal(m, sigma_a);
  beta ~ normal(0, 1);
  gamma0 ~ normal(0, 2);
  gamma1 ~ normal(0, 2);
  sigma_y ~ cauchy(0, 2.5);
  sigma_a ~ cauchy(0, 2.5);
  y ~ normal(y_hat, sigma_y);
}
