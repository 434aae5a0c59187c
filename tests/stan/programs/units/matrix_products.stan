data {
  matrix[3, 3] A;
  vector[3] d;
}
parameters {
  matrix[3, 2] B;
  matrix[3, 3] M;
  vector[3] v;
}
transformed parameters {
  vector[14] f;
  matrix[3, 3] S = crossprod(M) + A;
  f[1] = sum(A * B) + sum(B' * A) + sum(M * A) + sum(A * v) + v' * A * v;
  f[2] = sum(crossprod(B) + 0.0) + tcrossprod(B)[1, 3];
  f[3] = sum(quad_form(S, B)) + quad_form(S, v);
  f[4] = sum(quad_form_sym(S, B)) + quad_form_sym(S, v);
  f[5] = sum(quad_form_diag(S, v)) + quad_form_diag(A, d)[1, 2];
  f[6] = trace(M) + trace(A);
  f[7] = trace_quad_form(S, B) + trace_gen_quad_form(crossprod(B), S, B);
  f[8] = sum(diag_pre_multiply(v, B)) + diag_post_multiply(B, v[1 : 2])[3, 2];
  f[9] = sum(multiply_lower_tri_self_transpose(M)) + multiply_lower_tri_self_transpose(B)[3, 2];
  f[10] = sum(add_diag(M, v)) + add_diag(M, 2.5)[2, 2] + sum(elt_multiply(B, B)) + sum(elt_divide(B, exp(B)));
  f[11] = sum(transpose(B)) + transpose(B)[2, 3] + transpose(v)[2];
  f[12] = sum(symmetrize_from_lower_tri(M)) + symmetrize_from_lower_tri(M)[1, 3];
  f[13] = dot_product(col(M, 2), row(M, 3)) + sum(matrix_power(A, 3) * v) + sum(matrix_power(M, 2));
  f[14] = sum(M .* A) + sum(M .^ 2) + sum(v * v') + sum(-M * 2 / 3) + trace_quad_form(A, v);
}
model {
  f ~ normal(linspaced_vector(14, -1, 2), 10);
  to_vector(B) ~ normal(0, 1);
  to_vector(M) ~ normal(0, 1);
  v ~ normal(0, 1);
}
