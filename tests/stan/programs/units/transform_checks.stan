// transformed parameters with every kind of constraint, which are checked and not transformed
data {
  int<lower=1> K;
  simplex[K] base;
}
transformed data {
  vector<lower=0, upper=1>[K] half = base / 2;
  cov_matrix[2] S = [[2, 0.5], [0.5, 1]];
  cholesky_factor_cov[2] C = cholesky_decompose(S);
}
parameters {
  vector[K] x;
  real<lower=0> s;
}
transformed parameters {
  simplex[K] p = softmax(x);
  ordered[K] o = sort_asc(x);
  positive_ordered[K] po = cumulative_sum(exp(x));
  unit_vector[K] u = x / norm2(x);
  corr_matrix[2] R = [[1, tanh(x[1])], [tanh(x[1]), 1]];
  cov_matrix[2] V = quad_form_diag(R, [s, 1]');
  cholesky_factor_corr[2] L = cholesky_decompose(R);
  real<lower=-1, upper=1> bounded = sin(x[2]);
}
model {
  p ~ dirichlet(base * 5);
  o ~ normal(0, 1);
  po ~ normal(half, 3);
  target += u[1] + log_determinant(V) + L[2, 2] + bounded + sum(C);
  s ~ exponential(1);
}
