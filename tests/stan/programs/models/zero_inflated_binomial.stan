functions {
  real zib_lpmf(int y, int n, real psi, real p) {
    real seen = log(psi) + binomial_lpmf(y | n, p);
    return y > 0 ? seen : log_sum_exp(seen, log1m(psi));
  }
}
data {
  int<lower=1> R;
  array[R] int<lower=0> n;
  array[R] int<lower=0> y;
  vector[R] x;
}
parameters {
  vector[2] a;
  real b;
}
model {
  for (r in 1 : R) {
    y[r] ~ zib(n[r], inv_logit(a[1] + a[2] * x[r]), inv_logit(b));
  }
  a ~ logistic(0, 1);
  b ~ logistic(0, 1);
}
