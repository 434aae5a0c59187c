// piecewise constant hazard as a Poisson regression over intervals
data {
  int<lower=0> N;
  int<lower=1> J;
  vector<lower=0>[N] t;
  array[N] int<lower=0, upper=1> event;
  vector[N] x;
  vector[J + 1] cut;
}
transformed data {
  matrix[N, J] exposure = rep_matrix(0, N, J);
  array[N, J] int died = rep_array(0, N, J);
  for (n in 1 : N) {
    for (j in 1 : J) {
      if (t[n] > cut[j]) {
        exposure[n, j] = fmin(t[n], cut[j + 1]) - cut[j];
        died[n, j] = event[n] && t[n] <= cut[j + 1];
      }
    }
  }
}
parameters {
  vector[J] log_h;
  real beta;
  real<lower=0> tau;
}
model {
  log_h[1] ~ normal(-1, 2);
  log_h[2 : J] ~ normal(log_h[1 : J - 1], tau);
  tau ~ exponential(2);
  beta ~ normal(0, 1);
  for (n in 1 : N) {
    for (j in 1 : J) {
      if (exposure[n, j] > 0)
        died[n, j] ~ poisson(exposure[n, j] * exp(log_h[j] + beta * x[n]));
    }
  }
}
