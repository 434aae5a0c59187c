data {
  int N_obs;
  int N_mis;
  array[N_obs] int<lower=1> ii_obs;
  array[N_mis] int<lower=1> ii_mis;
  array[N_obs] real y_obs;
  int N;
  matrix[N, 2] X;
  array[N, 2] int miss;
  int nmissX;
}
parameters {
  array[N_mis] real y_mis;
  vector[nmissX] x_imp;
  vector[2] b;
  real a;
  real<lower=0> s;
  vector[2] mx;
  cov_matrix[2] Sx;
}
transformed parameters {
  array[N] real y;
  matrix[N, 2] Xf = X;
  
  y[ii_obs] = y_obs;
  y[ii_mis] = y_mis;
  {
    int k = 0;
    for (j in 1 : 2) 
      for (n in 1 : N) {
        if (miss[n, j]) {
          k += 1;
          Xf[n, j] = x_imp[k];
        }
      }
  }
}
model {
  for (n in 1 : N) {
    Xf[n]' ~ multi_normal(mx, Sx);
    y[n] ~ normal(a + Xf[n] * b, s);
  }
  Sx ~ inv_wishart(4, diag_matrix(rep_vector(1, 2)));
  s ~ cauchy(0, 2);
  b ~ normal(0, 2);
}

