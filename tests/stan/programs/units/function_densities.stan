functions {
  real tilted_lpdf(real y, real mu, real s) {
    return -square((y - mu) / s) - log(s) + 0.1 * y;
  }
  real tilted_lcdf(real y, real mu, real s) {
    return std_normal_lcdf((y - mu) / s);
  }
  real tilted_lccdf(real y, real mu, real s) {
    return std_normal_lccdf((y - mu) / s);
  }
  real zip_lpmf(int y, real p, real lambda) {
    if (y == 0)
      return log_sum_exp(log(p), log1m(p) + poisson_lpmf(0 | lambda));
    else
      return log1m(p) + poisson_lpmf(y | lambda);
  }
  real rows_lpmf(array[] int y, vector eta) {
    real lp = 0;
    for (n in 1 : size(y))
      lp += bernoulli_logit_lupmf(y[n] | eta[n]);
    return lp;
  }
  real twice_lpdf(vector y, real s) {
    return 2 * normal_lpdf(y | 0, s);
  }
}
data {
  int N;
  array[N] int k;
  array[N] int<lower=0, upper=1> b;
  vector[N] y;
}
parameters {
  real<lower=0, upper=1> p;
  real<lower=0> lambda;
  vector[N] eta;
}
model {
  for (n in 1 : N) {
    k[n] ~ zip(p, lambda);
    y[n] ~ tilted(eta[n], lambda);
    y[n] ~ tilted(p, lambda) T[-3, ];
    target += tilted_lpdf(eta[n] | y[n], 2) + tilted_lupdf(eta[n] | 0, lambda);
  }
  b ~ rows(eta);
  eta ~ twice(lambda);
  target += rows_lpmf(b | eta) + zip_lpmf(0 | p, 2) + tilted_lcdf(p | 0, lambda);
  lambda ~ gamma(2, 1);
}
