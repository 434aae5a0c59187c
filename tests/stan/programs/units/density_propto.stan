// which terms `~` and _lupdf drop depends on what is a parameter
functions {
  real shifted_lpdf(vector y, real mu, real s) {
    return normal_lupdf(y | mu + 1, s);
  }
  real kept_lpdf(real y, real s) {
    return normal_lpdf(y | 0, s) + gamma_lupdf(s | 2, 3);
  }
  real counts_lpmf(array[] int k, real rate) {
    return poisson_lupmf(k | rate) - 0.5 * rate;
  }
}
data {
  vector[3] y;
  array[3] int<lower=0> k;
}
parameters {
  real mu;
  real<lower=0> s;
}
model {
  y ~ shifted(mu, s);
  y ~ shifted(mu, 2);
  y ~ shifted(0, 2);
  mu ~ kept(s);
  k ~ counts(s);
  k ~ counts(4.5);
  target += shifted_lpdf(y | mu, s) + shifted_lupdf(y | mu, 3) + counts_lpmf(k | s);
  target += counts_lupmf(k | 1.5) + kept_lupdf(mu | 2);
  y ~ normal(0, 1);
  k ~ poisson(3);
  s ~ gamma(2, 3);
  mu ~ student_t(3, 0, s);
}
