data {
  int<lower=1> K;
  int<lower=0> N;
  array[N] vector[K] y;
  cov_matrix[K] P0;
}
parameters {
  vector[K] mu;
  cov_matrix[K] Omega;
  cholesky_factor_cov[K] L;
}
model {
  y ~ multi_normal_prec(mu, Omega);
  mu ~ multi_normal_prec(rep_vector(0.5, K), P0);
  y ~ multi_normal_cholesky(mu, L);
  mu ~ multi_normal_cholesky(y[1], L);
  y[2]' ~ multi_normal_cholesky(mu, cholesky_decompose(P0));
  target += multi_normal_prec_lpdf(y[1] | mu, Omega) + multi_normal_prec_lpdf(y | mu, P0);
  target += multi_normal_cholesky_lpdf(y | mu, L);
  Omega ~ wishart(5, P0);
}
