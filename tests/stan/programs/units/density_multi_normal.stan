data {
  int<lower=1> K;
  int<lower=0> N;
  array[N] vector[K] y;
  row_vector[K] r;
  cov_matrix[K] S0;
}
parameters {
  vector[K] mu;
  array[N] vector[K] mus;
  cov_matrix[K] Sigma;
}
model {
  y ~ multi_normal(mu, Sigma);
  y ~ multi_normal(mus, Sigma);
  mu ~ multi_normal(rep_vector(0, K), S0);
  mus ~ multi_normal(mu, S0);
  r ~ multi_normal(mu, Sigma);
  target += multi_normal_lpdf(y | mu, S0) + multi_normal_lpdf(y[1] | rep_vector(0, K), Sigma);
  target += multi_normal_lpdf(r | to_row_vector(mu), Sigma) + multi_normal_lpdf(y | r, S0);
  target += multi_normal_lupdf(y | mus, Sigma);
}
