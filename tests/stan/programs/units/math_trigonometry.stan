parameters {
  real x;
  real<lower=1> g;
  real<lower=-1, upper=1> u;
  vector[2] v;
}
transformed parameters {
  vector[15] f;
  f[1] = sin(x);
  f[2] = cos(x);
  f[3] = tan(0.5 * u);
  f[4] = asin(u);
  f[5] = acos(u);
  f[6] = atan(x);
  f[7] = atan2(x, g) + atan2(x, -g) + atan2(1, x);
  f[8] = sinh(x);
  f[9] = cosh(x);
  f[10] = tanh(x);
  f[11] = asinh(x);
  f[12] = acosh(g);
  f[13] = atanh(u);
  f[14] = sum(sin(v) .* cos(v)) + sum(to_array_1d(atan2(v, x)));
  f[15] = sin(pi() * x) + e() + sqrt(2) * x + log(2) + log(10) + sin(1e3 + x);
}
model {
  f ~ normal(linspaced_vector(15, -1, 2), 3);
  v ~ normal(0, 1);
}
