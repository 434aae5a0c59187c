data {
  complex c;
  array[2] complex cs;
}
parameters {
  real a;
  real b;
}
transformed parameters {
  complex z = to_complex(a, b);
  complex_vector[2] v = [z, 2i * z]';
  complex w;
  w = z;
  w *= 1 + 3i;
  w += c;
  w -= 2.5;
  w /= 1i + a;
}
model {
  complex acc = 0;
  for (i in 1 : 2) {
    acc += cs[i] * v[i];
    if (cs[i] == 1 + 2i)
      acc *= 2;
  }
  target += -norm(acc) - abs(w) - get_real(z) * get_imag(v[2]);
  target += -square(arg(z + 5)) + get_real(z ^ 2) * 0.01 - norm(-z + conj(w)) * 0.1;
  {a, b} ~ normal(0, 1);
}
