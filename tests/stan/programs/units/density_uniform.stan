data {
  int<lower=0> N;
  vector[N] y;
}
parameters {
  real<upper=-2> lo;
  real<lower=3> hi;
  real<lower=lo, upper=hi> x;
  vector<lower=0, upper=2>[N] u;
}
model {
  y ~ uniform(lo, hi);
  x ~ uniform(lo, hi);
  u ~ uniform(0, 2);
  lo ~ normal(-3, 2);
  hi ~ normal(4, 2);
  target += uniform_lpdf(y | -5, hi) + uniform_lpdf(u | -1, 3);
  target += uniform_lcdf(y | lo, hi) + uniform_lccdf(x | lo, hi);
  target += uniform_cdf(x | lo, hi);
}
