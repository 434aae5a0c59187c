data {
  matrix[2, 2] A;
  complex_matrix[2, 2] C;
}
parameters {
  matrix[2, 2] M;
  complex_vector[4] v;
  complex_matrix[2, 2] Z;
}
transformed parameters {
  vector[14] f;
  f[1] = norm(sum(fft(v))) + norm(fft(v)[2]) + norm(inv_fft(v)[3]);
  f[2] = norm(fft2(Z)[2, 1]) + norm(inv_fft2(Z)[1, 2]);
  f[3] = norm((Z * C)[1, 2]) + norm((Z * A)[2, 2]) + norm((A * v[1 : 2])[1]);
  f[4] = norm(sum(Z + C)) + norm(sum(Z - 1)) + norm(sum(2 * Z)) + norm(sum(Z / 2i));
  f[5] = norm(trace(Z)) + norm(sum(Z')) + norm(Z[1, 2]) + norm(sum(Z[ : , 1]));
  f[6] = get_real(dot_product(v, v)) + get_real(dot_self(v[1 : 2])) + norm(prod(v));
  f[7] = sum(abs(v)) + sum(get_real(v)) + sum(get_imag(Z));
  f[8] = norm(sum(Z .* C)) + norm(sum(v ./ (v + 5))) + norm(sum(diag_matrix(v[1 : 2]) * C));
  f[9] = dot_self(abs(eigenvalues(A + 0.1 * M + [[0, 1], [-1, 0]])));
  f[10] = norm(sum(append_row(v, v[1 : 1]))) + norm(sum(append_col(Z, v[3 : 4])));
  f[11] = norm(sum(to_vector(Z) + v)) + norm(reverse(v)[1]) + norm(v[{2, 3}][1]);
  f[12] = sum(abs(rep_vector(v[1], 2)));
  f[13] = norm(sum(conj(v) + [1i, 2, 3, 4]')) + norm(to_complex(M, A)[1, 2]) + norm(diagonal(Z)[2]);
  f[14] = norm(sum(Z * v[1 : 2])) + norm(sum(v[1 : 2]' * Z)) + norm(sum(multiply(Z, Z)));
}
model {
  f ~ normal(linspaced_vector(14, -1, 2), 20);
  to_vector(M) ~ normal(0, 1);
  target += -dot_self(abs(v)) - dot_self(abs(to_vector(Z)));
}
