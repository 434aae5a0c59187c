parameters {
  real<lower=0> a;
  real<lower=0> b;
  real x;
}
transformed parameters {
  vector[14] f;
  f[1] = lgamma(a);
  f[2] = digamma(a);
  f[3] = trigamma(b);
  f[4] = tgamma(a + 1);
  f[5] = beta(a, b);
  f[6] = lbeta(a, b) + lbeta(3, b);
  f[7] = lmgamma(3, a + 2);
  f[8] = lchoose(a + 5, 3) + lchoose(10, b) * 0.1 + choose(7, 3);
  f[9] = falling_factorial(a, 2) + log_falling_factorial(a + 3, b);
  f[10] = rising_factorial(a, 3) + log_rising_factorial(a, b);
  f[11] = lgamma(a + 1e5) - lgamma(1e5) + lgamma(1e-8 * b);
  f[12] = digamma(a + 100) - digamma(a);
  f[13] = lgamma(-0.5 - 0.1 * inv_logit(x));
  f[14] = lmultiply(a, b) + digamma(-0.3 * inv_logit(x)) * 0.01;
}
model {
  f ~ normal(linspaced_vector(14, -1, 2), 4);
  x ~ std_normal();
}
