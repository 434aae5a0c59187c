// latent process for counts
data {
  int<lower=1> N;
  array[N] real x;
  array[N] int<lower=0> k;
}
parameters {
  real<lower=0> rho;
  real<lower=0> alpha;
  real a;
  vector[N] f_tilde;
}
transformed parameters {
  vector[N] f;
  {
    matrix[N, N] K = gp_matern32_cov(x, alpha, rho) + diag_matrix(rep_vector(1e-8, N));
    f = cholesky_decompose(K) * f_tilde;
  }
}
model {
  rho ~ gamma(25, 4);
  alpha ~ normal(0, 2);
  a ~ normal(0, 1);
  f_tilde ~ normal(0, 1);
  k ~ poisson_log(a + f);
}
