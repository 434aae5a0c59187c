data {
  int<lower=0> N;
  array[N] int<lower=0> y;
  vector[N] x;
}
parameters {
  real<lower=0, upper=1> theta;
  real a;
  real b;
}
model {
  for (n in 1 : N) {
    if (y[n] == 0) {
      target += log_sum_exp(bernoulli_lpmf(1 | theta),
                            bernoulli_lpmf(0 | theta) + poisson_log_lpmf(y[n] | a + b * x[n]));
    } else {
      target += bernoulli_lpmf(0 | theta) + poisson_log_lpmf(y[n] | a + b * x[n]);
    }
  }
  {a, b} ~ normal(0, 1);
}
