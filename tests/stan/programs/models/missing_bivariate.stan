// pairs where one side may be missing: marginal densities for what is seen
data {
  int<lower=1> N;
  array[N, 2] int<lower=0, upper=1> observed;
  array[N] vector[2] y;
}
parameters {
  vector[2] mu;
  cov_matrix[2] Sigma;
}
model {
  for (n in 1 : N) {
    if (observed[n, 1] && observed[n, 2]) {
      y[n] ~ multi_normal(mu, Sigma);
    } else if (observed[n, 1]) {
      y[n, 1] ~ normal(mu[1], sqrt(Sigma[1, 1]));
    } else if (observed[n, 2]) {
      y[n, 2] ~ normal(mu[2], sqrt(Sigma[2, 2]));
    }
  }
  mu ~ normal(0, 3);
  Sigma ~ inv_wishart(4, identity_matrix(2));
}
