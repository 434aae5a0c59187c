// multivariate probit for two outcomes: latent normals with signs fixed by the data
data {
  int<lower=1> N;
  vector[N] x;
  array[N, 2] int<lower=0, upper=1> y;
}
transformed data {
  int N_pos = sum(to_array_1d(y));
  int N_neg = 2 * N - N_pos;
  array[N_pos] int row_pos;
  array[N_pos] int col_pos;
  array[N_neg] int row_neg;
  array[N_neg] int col_neg;
  {
    int i = 1;
    int j = 1;
    for (n in 1 : N) {
      for (d in 1 : 2) {
        if (y[n, d] == 1) {
          row_pos[i] = n;
          col_pos[i] = d;
          i += 1;
        } else {
          row_neg[j] = n;
          col_neg[j] = d;
          j += 1;
        }
      }
    }
  }
}
parameters {
  vector[2] a;
  vector[2] b;
  cholesky_factor_corr[2] L;
  vector<lower=0>[N_pos] z_pos;
  vector<upper=0>[N_neg] z_neg;
}
transformed parameters {
  array[N] vector[2] z;
  for (i in 1 : N_pos) {
    z[row_pos[i], col_pos[i]] = z_pos[i];
  }
  for (j in 1 : N_neg) {
    z[row_neg[j], col_neg[j]] = z_neg[j];
  }
}
model {
  L ~ lkj_corr_cholesky(4);
  a ~ normal(0, 2);
  b ~ normal(0, 2);
  array[N] vector[2] mu;
  for (n in 1 : N) {
    mu[n] = a + b * x[n];
  }
  z ~ multi_normal_cholesky(mu, L);
}
generated quantities {
  corr_matrix[2] Omega = multiply_lower_tri_self_transpose(L);
}
