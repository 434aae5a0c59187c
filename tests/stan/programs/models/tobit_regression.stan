// left-censored at a known limit
data {
  int<lower=0> N_seen;
  int<lower=0> N_low;
  vector[N_seen] x_seen;
  vector[N_low] x_low;
  real limit;
  vector<lower=limit>[N_seen] y;
}
parameters {
  real a;
  real b;
  real<lower=0> sigma;
}
model {
  y ~ normal(a + b * x_seen, sigma);
  for (n in 1 : N_low) {
    target += normal_lcdf(limit | a + b * x_low[n], sigma);
  }
  a ~ normal(0, 5);
  b ~ normal(0, 5);
  sigma ~ normal(0, 2) T[0, ];
}
