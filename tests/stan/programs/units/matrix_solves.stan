data {
  matrix[3, 3] A;
  matrix[3, 2] C;
}
parameters {
  matrix[3, 3] M;
  vector[3] v;
  cholesky_factor_cov[3] L;
}
transformed parameters {
  vector[12] f;
  matrix[3, 3] G = M + 4 * A;
  matrix[3, 3] S = tcrossprod(L) + A;
  f[1] = sum(mdivide_left(G, v)) + sum(G \ C) + sum(A \ v);
  f[2] = sum(mdivide_right(v', G)) + sum(C' / G) + (v' / A)[2];
  f[3] = sum(mdivide_left_tri_low(L, v)) + sum(mdivide_left_tri_low(L, C));
  f[4] = sum(mdivide_right_tri_low(v', L)) + sum(mdivide_right_tri_low(C', L));
  f[5] = sum(mdivide_left_spd(S, v)) + sum(mdivide_left_spd(A, C) * v[1]);
  f[6] = sum(mdivide_right_spd(v', S)) + sum(mdivide_right_spd(C', S));
  f[7] = sum(inverse(G)) + inverse(G)[1, 3];
  f[8] = sum(inverse_spd(S)) + inverse_spd(S)[1, 2];
  f[9] = determinant(G) * 0.01 + log_determinant(G);
  f[10] = log_determinant(S) + log_determinant_spd(S);
  f[11] = sum(chol2inv(L)) * 0.01 + quad_form(inverse(S), v);
  f[12] = sum(generalized_inverse(append_row(G, v'))) + sum(generalized_inverse(C' * G));
}
model {
  f ~ normal(linspaced_vector(12, -1, 2), 10);
  to_vector(M) ~ normal(0, 1);
  v ~ normal(0, 1);
  to_vector(L) ~ normal(0, 1);
}
