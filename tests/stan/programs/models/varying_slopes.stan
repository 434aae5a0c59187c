// correlated intercepts and slopes, Cholesky parameterisation
data {
  int<lower=1> N;
  int<lower=1> J;
  array[N] int<lower=1, upper=J> group;
  vector[N] x;
  vector[N] y;
}
parameters {
  vector[2] mu;
  vector<lower=0>[2] tau;
  cholesky_factor_corr[2] L;
  matrix[2, J] z;
  real<lower=0> sigma;
}
transformed parameters {
  matrix[J, 2] b = rep_matrix(mu', J) + (diag_pre_multiply(tau, L) * z)';
}
model {
  mu ~ normal(0, 2);
  tau ~ exponential(1);
  L ~ lkj_corr_cholesky(2);
  to_vector(z) ~ std_normal();
  sigma ~ exponential(1);
  y ~ normal(b[group, 1] + b[group, 2] .* x, sigma);
}
generated quantities {
  matrix[2, 2] Omega = L * L';
  real rho = Omega[1, 2];
}
