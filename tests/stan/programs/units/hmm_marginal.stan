data {
  int<lower=1> K;
  int<lower=1> T;
  vector[T] y;
}
parameters {
  array[K] simplex[K] rows;
  simplex[K] rho;
  ordered[K] mu;
  real<lower=0> sigma;
}
transformed parameters {
  matrix[K, K] Gamma;
  matrix[K, T] log_omega;
  for (k in 1 : K) {
    Gamma[k] = rows[k]';
  }
  for (t in 1 : T) {
    for (k in 1 : K) {
      log_omega[k, t] = normal_lpdf(y[t] | mu[k], sigma);
    }
  }
}
model {
  target += hmm_marginal(log_omega, Gamma, rho);
  mu ~ normal(0, 3);
  sigma ~ exponential(1);
}
generated quantities {
  matrix[K, T] probs = hmm_hidden_state_prob(log_omega, Gamma, rho);
}
