parameters {
  real x;
  real<lower=0> p;
  real<lower=0, upper=1> u;
}
transformed parameters {
  vector[18] f;
  f[1] = sqrt(p);
  f[2] = cbrt(p) + cbrt(-p);
  f[3] = square(x);
  f[4] = inv(p);
  f[5] = inv_sqrt(p);
  f[6] = inv_square(p);
  f[7] = exp(x) + exp2(x) + expm1(x) + expm1(1e-10 * x);
  f[8] = log(p) + log2(p) + log10(p);
  f[9] = log1p(p) + log1p(1e-12 * p) + log1m(u);
  f[10] = pow(p, x) + p ^ x + p ^ 2 + x ^ 3 + 2 ^ x + pow(x, 2) + x ^ -2;
  f[11] = hypot(x, p) + hypot(3, x);
  f[12] = fma(x, p, u) + fma(2, x, u);
  f[13] = abs(x) + abs(-p) + fdim(x, u) + fdim(u, x);
  f[14] = fmin(x, u) + fmax(x, u) + fmin(2, u) - fmax(x, -5);
  f[15] = fmod(10 * p, 3.2) + ldexp(x, 3) - ldexp(u, -2);
  f[16] = p ^ 0.5 + p ^ -0.5 + p ^ -1 + p ^ 0 + x ^ 1 + p ^ 1.5;
  f[17] = log1p_exp(x) + log1m_exp(-p) + log1p_exp(700 * p) + log1p_exp(-50 + x);
  f[18] = log_diff_exp(x + p, x) + log_sum_exp(x, p) + log_diff_exp(1.0, -p);
}
model {
  f ~ normal(linspaced_vector(18, 0, 3), linspaced_vector(18, 1, 2) * 5);
}
