// counts in two regimes through hmm_marginal, stationary start
data {
  int<lower=1> T;
  array[T] int<lower=0> y;
}
parameters {
  vector<lower=0, upper=1>[2] stay;
  positive_ordered[2] lambda;
}
transformed parameters {
  matrix[2, 2] Gamma = [[stay[1], 1 - stay[1]], [1 - stay[2], stay[2]]];
  simplex[2] rho = [1 - stay[2], 1 - stay[1]]' / (2 - sum(stay));
}
model {
  matrix[2, T] log_omega;
  for (t in 1 : T) {
    log_omega[1, t] = poisson_lpmf(y[t] | lambda[1]);
    log_omega[2, t] = poisson_lpmf(y[t] | lambda[2]);
  }
  stay ~ beta(8, 2);
  lambda ~ gamma(2, 0.5);
  target += hmm_marginal(log_omega, Gamma, rho);
}
