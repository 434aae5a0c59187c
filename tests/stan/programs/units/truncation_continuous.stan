data {
  int<lower=0> N;
  vector[N] y;
  real L;
  real U;
}
parameters {
  real mu;
  real<lower=0> sigma;
  real<upper=L> floor_;
}
model {
  for (n in 1 : N) {
    y[n] ~ normal(mu, sigma) T[L, U];
    y[n] ~ normal(mu, sigma) T[L, ];
    y[n] ~ student_t(4, mu, sigma) T[, U];
    y[n] ~ logistic(mu, sigma) T[floor_, U];
    y[n] ~ gumbel(mu, sigma) T[L - 1, U + 1];
    exp(y[n]) ~ gamma(2, sigma) T[0.05, ];
    exp(y[n]) ~ lognormal(mu, sigma) T[, 20];
  }
  mu ~ normal(0, 2) T[-5, 5];
  sigma ~ normal(0, 1) T[0, ];
  floor_ ~ normal(L, 1) T[, L];
}
