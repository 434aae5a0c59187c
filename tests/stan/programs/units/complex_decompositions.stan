data {
  matrix[3, 3] A;
}
parameters {
  matrix[3, 3] M;
  vector[3] v;
}
transformed parameters {
  matrix[3, 3] B = A + 0.2 * M;
  vector[4] f;
  {
    // bases of eigenspaces are not unique, what is computed of them is
    complex_matrix[3, 3] R;
    complex_vector[3] lambda;
    (R, lambda) = eigendecompose(B);
    tuple(complex_matrix[3, 3], complex_matrix[3, 3]) schur = complex_schur_decompose(B);
    f[1] = get_real(sum(lambda)) + dot_self(abs(eigenvalues(B)));
    f[2] = sum(get_real(R * diag_matrix(lambda) / R) .* B);
    f[3] = get_real(trace(schur.2)) + norm(prod(diagonal(complex_schur_decompose_t(B))));
    f[4] = get_real(sum(schur.1 * schur.2 * conj(schur.1')));
  }
}
model {
  f ~ normal(0, 5);
  to_vector(M) ~ normal(0, 1);
  v ~ normal(f[1 : 3], 1);
}
