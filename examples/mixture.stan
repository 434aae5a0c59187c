// Two kinds of eruptions, short and long, told apart by their lengths (simulated).
data {
  int<lower=0> N;
  vector[N] y;
}
parameters {
  ordered[2] mu;
  vector<lower=0>[2] sigma;
  real<lower=0, upper=1> theta;
}
model {
  mu ~ normal(3, 2);
  sigma ~ normal(0, 1);
  theta ~ beta(2, 2);
  for (n in 1:N) {
    target += log_mix(theta, normal_lpdf(y[n] | mu[1], sigma[1]),
                      normal_lpdf(y[n] | mu[2], sigma[2]));
  }
}
