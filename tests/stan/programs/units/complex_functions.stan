parameters {
  real a;
  real b;
  real<lower=0> r;
}
transformed parameters {
  complex z = to_complex(a, b);
  vector[16] f;
  f[1] = abs(z) + arg(z + 3) + norm(z) + abs(polar(r, a));
  f[2] = get_real(exp(z)) + get_imag(exp(z));
  f[3] = get_real(log(z + 3)) + get_imag(log10(z + 3));
  f[4] = get_real(sqrt(z + 3)) + get_imag(sqrt(z + 3));
  f[5] = get_real(sin(z)) + get_imag(cos(z));
  f[6] = get_real(tan(0.3 * z)) + get_imag(tanh(z));
  f[7] = get_real(sinh(z)) + get_imag(cosh(z));
  f[8] = get_real(asin(0.3 * z)) + get_imag(acos(0.3 * z));
  f[9] = get_real(atan(0.3 * z)) + get_imag(atanh(0.3 * z));
  f[10] = get_real(asinh(z)) + get_imag(acosh(z + 3));
  f[11] = get_real((z + 3) ^ 2) + get_imag((z + 3) ^ (1 + 1i)) + get_real(pow(z + 3, a));
  f[12] = get_real(polar(r, b)) + get_imag(polar(r, 1.5)) + get_real(proj(z)) + get_imag(conj(z));
  f[13] = get_real(z * z / (z + 4)) + get_imag(1 / (z + 4)) + get_real(2 ^ z) + get_imag(-z);
  f[14] = get_real(z - a) + get_imag(z * 2i) + get_real(z / 2) + (z == z) + (z != 1i);
  f[15] = get_real(to_complex()) + get_imag(to_complex(1)) + get_real(to_complex(r, 2)) + get_imag(r * z);
  f[16] = get_real(r ^ (1i + 0.5)) + get_imag(r + 3i);
}
model {
  f ~ normal(linspaced_vector(16, -1, 2), 10);
  {a, b} ~ normal(0, 1);
}
