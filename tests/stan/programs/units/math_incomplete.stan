parameters {
  real<lower=0> a;
  real<lower=0> b;
  real<lower=0, upper=1> u;
}
transformed parameters {
  vector[6] f;
  f[1] = gamma_p(a, b) + gamma_p(2, b);
  f[2] = gamma_q(a, b) + gamma_q(a, 1.5);
  f[3] = inc_beta(a, b, u);
  f[4] = inc_beta(2, 3, u) + inc_beta(a, 1.5, 0.25);
  f[5] = owens_t(a, b) + owens_t(-a, u);
  f[6] = inv_inc_beta(2, 3, u);
}
model {
  f ~ normal(linspaced_vector(6, -1, 2), 1);
}
