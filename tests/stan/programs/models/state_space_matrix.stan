// multivariate dynamic linear model through the library's density
data {
  int<lower=1> R;
  int<lower=1> T;
  matrix[R, T] y;
}
transformed data {
  matrix[2, R] F = append_row(ones_row_vector(R), linspaced_row_vector(R, -1, 1));
  vector[2] m0 = [0, 0]';
  cov_matrix[2] C0 = diag_matrix([4, 4]');
}
parameters {
  real<lower=-1, upper=1> phi;
  vector<lower=0>[R] V;
  vector<lower=0>[2] w;
}
model {
  matrix[2, 2] G = [[phi, 0.2], [0, 0.9]];
  y ~ gaussian_dlm_obs(F, G, V, diag_matrix(w), m0, C0);
  V ~ inv_gamma(3, 1);
  w ~ inv_gamma(3, 1);
}
