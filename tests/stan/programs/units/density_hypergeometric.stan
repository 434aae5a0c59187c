data {
  int<lower=0> K;
  array[K] int<lower=0> y;
  array[K] int<lower=0> draws;
  int<lower=0> successes;
  int<lower=0> failures;
  int lo;
  int hi;
  array[K] int z;
}
parameters {
  real mu;
}
model {
  mu ~ normal(0, 1);
  for (i in 1 : K) {
    y[i] ~ hypergeometric(draws[i], successes, failures);
    target += hypergeometric_lpmf(y[i] | draws[i], successes, failures) * mu;
  }
  target += hypergeometric_lpmf(2 | 5, 4, 6);
  z ~ discrete_range(lo, hi);
  target += discrete_range_lpmf(z | lo, hi) * mu + discrete_range_lpmf(3 | 1, 6);
  target += discrete_range_lcdf(z | lo, hi) + discrete_range_lccdf(z[1] | lo, hi);
  target += discrete_range_cdf(2 | 1, 6);
}
