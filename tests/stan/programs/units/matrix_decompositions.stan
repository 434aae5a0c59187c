data {
  matrix[3, 3] A;
}
parameters {
  matrix[3, 3] M;
  matrix[4, 3] T;
  vector[3] v;
}
transformed parameters {
  vector[14] f;
  matrix[3, 3] S = crossprod(M) + A;
  f[1] = sum(cholesky_decompose(S)) + cholesky_decompose(S)[3, 1];
  f[2] = dot_product(eigenvalues_sym(S), [1, 2, 3]);
  f[3] = sum(square(eigenvectors_sym(S)[1])) + square(eigenvectors_sym(S)[2, 1]);
  f[4] = dot_product(singular_values(T), [1, 2, 3]);
  f[5] = square(svd_U(T)[1, 2]) + square(svd_V(T)[3, 1]);
  f[6] = sum(abs(qr_thin_R(T))) + square(qr_thin_Q(T)[2, 3]);
  f[7] = square(qr_Q(T)[1, 1]) + square(qr_R(T)[2, 3]) + sum(qr_thin_R(T) \ v);
  f[8] = sum(matrix_exp(0.3 * M)) + sum(matrix_exp(A)) * v[1];
  f[9] = sum(matrix_exp_multiply(0.3 * M, T')) + sum(scale_matrix_exp_multiply(0.5, 0.3 * M, T'));
  f[10] = sum(eigenvalues_sym(A)) * v[1] + sum(cholesky_decompose(A) * v);
  f[11] = sum(singular_values(M)) + sum(dims(qr_Q(T))) + rows(qr_R(T));
  { // the signs of these vectors are arbitrary, what is composed of them is not
    tuple(matrix[3, 3], vector[3]) decomposed = eigendecompose_sym(S);
    matrix[3, 3] composed = decomposed.1 * diag_matrix(decomposed.2) * decomposed.1';
    f[12] = quad_form_diag(composed, v)[1, 2];
    tuple(matrix[4, 3], vector[3], matrix[3, 3]) usv = svd(T);
    matrix[4, 3] product = usv.1 * diag_matrix(usv.2) * usv.3';
    f[13] = usv.2[1] - usv.2[3] + product[2, 3];
  }
  tuple(matrix[4, 3], matrix[3, 3]) q_r = qr_thin(T);
  matrix[4, 3] again = q_r.1 * q_r.2;
  f[14] = sum(square(q_r.2)) + again[4, 1];
}
model {
  f ~ normal(linspaced_vector(14, -1, 2), 10);
  to_vector(M) ~ normal(0, 1);
  to_vector(T) ~ normal(0, 1);
  v ~ normal(0, 1);
}
