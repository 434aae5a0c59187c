data {
  int<lower=0> nonzero;
  int<lower=1> m;
  int<lower=1> n;
  vector[nonzero] w;
  array[nonzero] int<lower=1> v;
  array[m + 1] int<lower=1> u;
  matrix[3, 4] D;
}
transformed data {
  vector[size(csr_extract_w(D))] w2 = csr_extract_w(D);
  array[size(w2)] int v2 = csr_extract_v(D);
  array[4] int u2 = csr_extract_u(D);
}
parameters {
  vector[n] b;
  vector[nonzero] values_;
}
model {
  target += -dot_self(csr_matrix_times_vector(m, n, w, v, u, b));
  target += -dot_self(csr_matrix_times_vector(m, n, values_, v, u, b) - 1);
  target += -dot_self(csr_matrix_times_vector(3, 4, w2, v2, u2, b));
  target += sum(csr_to_dense_matrix(m, n, values_, v, u)) - sum(csr_to_dense_matrix(m, n, w, v, u) * b);
  b ~ normal(0, 1);
  values_ ~ normal(w, 1);
}
