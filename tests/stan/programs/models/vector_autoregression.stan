data {
  int<lower=2> T;
  int<lower=1> D;
  array[T] vector[D] y;
}
parameters {
  vector[D] c;
  matrix[D, D] A;
  vector<lower=0>[D] s;
  cholesky_factor_corr[D] L;
}
model {
  matrix[D, D] Ls = diag_pre_multiply(s, L);
  c ~ normal(0, 1);
  to_vector(A) ~ normal(0, 0.5);
  s ~ exponential(1);
  L ~ lkj_corr_cholesky(2);
  for (t in 2 : T) {
    y[t] ~ multi_normal_cholesky(c + A * y[t - 1], Ls);
  }
}
