parameters {
  real x;
  real<lower=0, upper=1> u;
  real<lower=0, upper=1> w;
}
transformed parameters {
  vector[15] f;
  f[1] = inv_logit(x);
  f[2] = logit(u);
  f[3] = inv_cloglog(x);
  f[4] = Phi(x);
  f[5] = Phi_approx(x);
  f[6] = inv_Phi(u) + std_normal_qf(w);
  f[7] = std_normal_log_qf(log(u));
  f[8] = log_inv_logit(x) + log1m_inv_logit(x);
  f[9] = log_inv_logit_diff(x + w, x);
  f[10] = log_mix(u, x, w) + log_mix(w, -800, x) + log_mix([u, 1 - u]', [x, 1]');
  f[11] = log1m(u) + log1m_exp(log(u)) + lmultiply(x ^ 2, w) + lmultiply(0, w);
  f[12] = erf(x) + erfc(x) + inv_erfc(2 * u);
  f[13] = inv_logit(40 * x) + log_inv_logit(-700 + x) + log1m_inv_logit(700 + x);
  f[14] = log(Phi(x - 5)) + inv_Phi(1e-10 * u) + Phi(x + 6);
  f[15] = binary_log_loss(1, u) + binary_log_loss(0, w) + log_softmax([x, u, w]')[2];
}
model {
  f ~ normal(linspaced_vector(15, -1, 2), 3);
}
