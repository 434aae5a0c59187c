data {
  int<lower=1> p;
  int<lower=1> r;
  int<lower=1> T;
  matrix[r, T] y;
  matrix[p, r] F;
  matrix[p, p] G;
}
parameters {
  vector<lower=0>[r] v;
  cov_matrix[r] V;
  cov_matrix[p] W;
  vector[p] m0;
  cov_matrix[p] C0;
  real<lower=-1, upper=1> damping;
}
model {
  y ~ gaussian_dlm_obs(F, G, v, W, m0, C0);
  y ~ gaussian_dlm_obs(F, damping * G, V, W, m0, C0);
  target += gaussian_dlm_obs_lpdf(y | F, G, V, W, rep_vector(0, p), 10 * identity_matrix(p));
  m0 ~ normal(0, 3);
  v ~ gamma(2, 2);
}
