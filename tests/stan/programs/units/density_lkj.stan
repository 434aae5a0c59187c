data {
  int<lower=1> K;
  corr_matrix[K] R0;
}
parameters {
  real<lower=0> eta;
  corr_matrix[K] R;
  cholesky_factor_corr[K] L;
  cov_matrix[K] S;
}
model {
  R ~ lkj_corr(eta);
  R ~ lkj_corr(2);
  L ~ lkj_corr_cholesky(eta);
  L ~ lkj_corr_cholesky(1.5);
  S ~ lkj_cov(rep_vector(0.1, K), rep_vector(0.7, K), eta);
  target += lkj_corr_lpdf(R0 | eta) + lkj_corr_lpdf(R | 1);
  target += lkj_corr_cholesky_lpdf(L | 3) + lkj_corr_cholesky_lpdf(cholesky_decompose(R0) | eta);
  eta ~ gamma(4, 2);
}
