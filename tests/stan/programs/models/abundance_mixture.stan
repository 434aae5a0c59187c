// repeated counts: the true abundance of each site summed out up to a bound
functions {
  real site_lpmf(array[] int y, int K, real log_lambda, real logit_p) {
    int top = max(y);
    vector[K - top + 1] lp;
    for (k in top : K) {
      lp[k - top + 1] = poisson_log_lpmf(k | log_lambda) + binomial_logit_lpmf(y | k, logit_p);
    }
    return log_sum_exp(lp);
  }
}
data {
  int<lower=0> R;
  int<lower=0> T;
  array[R, T] int<lower=0> y;
  vector[R] x;
  int<lower=0> K;
}
parameters {
  vector[2] alpha;
  vector[2] beta;
}
model {
  alpha ~ normal(0, 2);
  beta ~ normal(0, 2);
  for (i in 1 : R) {
    target += site_lpmf(y[i] | K, alpha[1] + alpha[2] * x[i], beta[1] + beta[2] * x[i]);
  }
}
