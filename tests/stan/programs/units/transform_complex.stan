data {
  int<lower=1> N;
}
parameters {
  complex z;
  complex_vector[N] v;
  complex_row_vector[2] r;
  complex_matrix[2, N] M;
  array[2] complex a;
}
transformed parameters {
  complex w = z * a[1] + conj(a[2]);
}
model {
  target += -norm(z) - abs(w);
  for (n in 1 : N) {
    get_real(v[n]) ~ normal(0, 1);
    get_imag(v[n]) ~ normal(n, 2);
  }
  target += -norm(sum(M * v)) - norm(r[1] - r[2]) - norm(a[1]) - norm(a[2]);
  to_vector(get_real(M)) ~ std_normal();
  to_vector(get_imag(M)) ~ std_normal();
}
