// presence of a species at sites visited several times
data {
  int<lower=1> R;
  int<lower=1> T;
  array[R, T] int<lower=0, upper=1> y;
  vector[R] x;
  matrix[R, T] w;
}
transformed data {
  array[R] int seen;
  for (i in 1 : R)
    seen[i] = sum(y[i]) > 0;
}
parameters {
  vector[2] a;
  vector[2] b;
}
model {
  a ~ normal(0, 2);
  b ~ normal(0, 2);
  for (i in 1 : R) {
    real logit_psi = a[1] + a[2] * x[i];
    row_vector[T] logit_p = b[1] + b[2] * w[i];
    if (seen[i]) {
      target += log_inv_logit(logit_psi) + bernoulli_logit_lpmf(y[i] | logit_p);
    } else {
      target += log_sum_exp(log_inv_logit(logit_psi) + bernoulli_logit_lpmf(y[i] | logit_p),
                            log1m_inv_logit(logit_psi));
    }
  }
}
generated quantities {
  real mean_psi = mean(inv_logit(a[1] + a[2] * x));
}
