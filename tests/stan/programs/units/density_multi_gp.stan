data {
  int<lower=1> K;
  int<lower=1> N;
  matrix[K, N] y;
  cov_matrix[N] S0;
}
parameters {
  vector<lower=0>[K] w;
  cov_matrix[N] Sigma;
  cholesky_factor_cov[N] L;
  matrix[K, N] f;
}
model {
  y ~ multi_gp(Sigma, w);
  y ~ multi_gp_cholesky(L, w);
  f ~ multi_gp(S0, w);
  target += multi_gp_lpdf(y | Sigma, [1.0, 2.0]') + multi_gp_cholesky_lpdf(f | L, w);
  w ~ lognormal(0, 1);
}
