data {
  int<lower=1> K;
}
parameters {
  cov_matrix[K] S;
  array[2] cov_matrix[2] Ss;
  cholesky_factor_cov[K] L;
  cholesky_factor_cov[K + 1, K] tall;
  array[2] cholesky_factor_cov[3, 2] talls;
  cov_matrix[1] variance_;
}
model {
  S ~ wishart(K + 2, identity_matrix(K));
  for (i in 1 : 2) {
    Ss[i] ~ inv_wishart(4, identity_matrix(2) * i);
    to_vector(talls[i]) ~ normal(0, i);
  }
  to_vector(L) ~ normal(0, 2);
  to_vector(tall) ~ normal(0.5, 1);
  variance_[1, 1] ~ inv_gamma(2, 2);
}
