data {
  int<lower=1> N;
  int<lower=1> K;
  int<lower=1> D;
  array[N] vector[D] y;
}
parameters {
  simplex[K] theta;
  array[K] vector[D] mu;
  array[K] cholesky_factor_corr[D] L;
  array[K] vector<lower=0>[D] s;
}
model {
  array[K] real log_theta;
  for (k in 1 : K) {
    log_theta[k] = log(theta[k]);
    mu[k] ~ normal(0, 3);
    L[k] ~ lkj_corr_cholesky(4);
    s[k] ~ exponential(1);
  }
  for (n in 1 : N) {
    array[K] real ps;
    for (k in 1 : K) {
      ps[k] = log_theta[k]
              + multi_normal_cholesky_lpdf(y[n] | mu[k], diag_pre_multiply(s[k], L[k]));
    }
    target += log_sum_exp(ps);
  }
}
