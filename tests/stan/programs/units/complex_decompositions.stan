data {
  matrix[3, 3] A;
}
parameters {
  matrix[3, 3] M;
  vector[3] v;
}
transformed parameters {
  complex_matrix[3, 3] R;
  complex_vector[3] lambda;
  matrix[3, 3] B = A + 0.2 * M;
  vector[3] f;
  lambda = eigenvalues(B);
  (R, lambda) = eigendecompose(B);
  f[1] = get_real(sum(lambda)) + dot_self(abs(lambda));
  f[2] = sum(get_real(R * diag_matrix(lambda) / R) .* B);
  f[3] = get_real(trace(complex_schur_decompose_t(B))) + norm(prod(diagonal(complex_schur_decompose_t(B))));
}
model {
  f ~ normal(0, 5);
  to_vector(M) ~ normal(0, 1);
  v ~ normal(f, 1);
}
