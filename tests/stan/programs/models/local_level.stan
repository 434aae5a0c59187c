data {
  int<lower=1> T;
  vector[T] y;
}
parameters {
  vector[T] mu;
  real<lower=0> sigma_level;
  real<lower=0> sigma_irreg;
}
model {
  for (t in 2 : T)
    mu[t] ~ normal(mu[t - 1], sigma_level);
  for (t in 1 : T)
    y[t] ~ normal(mu[t], sigma_irreg);
  mu[1] ~ normal(y[1], 3);
  sigma_level ~ student_t(4, 0, 1);
  sigma_irreg ~ student_t(4, 0, 1);
}
