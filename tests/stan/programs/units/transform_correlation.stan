data {
  int<lower=1> K;
}
parameters {
  corr_matrix[K] R;
  cholesky_factor_corr[K] L;
  array[2] corr_matrix[2] Rs;
  array[2] cholesky_factor_corr[3] Ls;
  corr_matrix[1] unit_;
}
model {
  R ~ lkj_corr(3);
  L ~ lkj_corr_cholesky(2);
  target += R[1, 2] * L[K, 1] + log_determinant(R) + unit_[1, 1];
  for (i in 1 : 2) {
    Rs[i] ~ lkj_corr(i);
    Ls[i] ~ lkj_corr_cholesky(i + 0.5);
    target += -square(Ls[i][3, 2]) + Rs[i, 2, 1];
  }
}
