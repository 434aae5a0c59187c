data {
  int<lower=1> K;
  cov_matrix[K] S0;
  cov_matrix[K] W0;
}
parameters {
  real<lower=K - 1> nu;
  cov_matrix[K] S;
  cov_matrix[K] W;
  cholesky_factor_cov[K] L;
}
model {
  W ~ wishart(nu, S);
  W0 ~ wishart(nu, S);
  W ~ wishart(5, S0);
  S ~ inv_wishart(nu, S0);
  W0 ~ inv_wishart(nu, S);
  L ~ wishart_cholesky(nu, cholesky_decompose(S0));
  L ~ inv_wishart_cholesky(6, cholesky_decompose(S));
  target += wishart_lpdf(W0 | 4, S) + inv_wishart_lpdf(W | nu, S) + wishart_lpdf(W0 | 6, S0);
  target += wishart_cholesky_lpdf(L | nu, L) + inv_wishart_cholesky_lpdf(L | nu, cholesky_decompose(W0));
  nu ~ gamma(6, 1);
}
