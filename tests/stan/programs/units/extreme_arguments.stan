// scalar functions far from the origin
data {
  vector[6] far;
}
parameters {
  real x;
  real<lower=0> p;
}
transformed parameters {
  vector[6] a = inv_logit(far + x);
  vector[6] b = log1p_exp(far + x);
  vector[6] c = log_inv_logit(far * p);
  vector[6] d = log1m_inv_logit(far * p);
  real e1 = log_sum_exp(far + x);
  vector[6] g = log_softmax(far * p);
  vector[6] h = softmax(far + p);
  real i = log_diff_exp(700 + x, 699 + x) + log1m_exp(-600 * p) + log1m_exp(-1e-12 * p);
  real j = lgamma(1e10 * p) * 1e-12 + expm1(-500 - x) + log1p(1e15 * p) + tanh(400 * x + 30);
  real l = Phi(-30 + x) + Phi_approx(-9 + x) + atan(1e8 * p) + log(1e-300 * p) + exp(-600 * p);
}
model {
  target += dot_product(a, far) * 1e-3 - 1e-6 * dot_self(b) + 1e-6 * dot_self(c) + 1e-6 * dot_self(d);
  target += e1 * 1e-2 + sum(g) * 1e-3 + dot_product(h, far) * 1e-3 + i * 0.1 + j + l;
  {x} ~ normal(0, 1);
  p ~ lognormal(0, 0.1);
  for (f in far) {
    1 ~ bernoulli_logit(f + x);
    3 ~ binomial_logit(5, f + x);
    2 ~ poisson_log(-abs(f) + x);
    0 ~ neg_binomial_2_log(-f * 0.2 + x, p);
    f ~ logistic(x, p);
    f ~ student_t(p, x, p);
  }
}
