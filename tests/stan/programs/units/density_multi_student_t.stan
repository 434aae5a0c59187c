data {
  int<lower=1> K;
  int<lower=0> N;
  array[N] vector[K] y;
  cov_matrix[K] S0;
}
parameters {
  real<lower=0> nu;
  vector[K] mu;
  cov_matrix[K] Sigma;
  cholesky_factor_cov[K] L;
  array[N] vector[K] z;
}
model {
  y ~ multi_student_t(nu, mu, Sigma);
  z ~ multi_student_t(4, y, S0);
  y ~ multi_student_t_cholesky(nu, mu, L);
  target += multi_student_t_lpdf(y | nu, mu, S0) + multi_student_t_lpdf(z | 3, mu, Sigma);
  target += multi_student_t_cholesky_lpdf(y[1] | nu, mu, L);
  nu ~ gamma(4, 1);
  mu ~ multi_student_t(5, rep_vector(0, K), S0);
}
