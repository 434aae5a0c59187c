data {
  int<lower=0> N;
  vector<lower=0, upper=1>[N] y;
}
parameters {
  real<lower=0> a;
  real<lower=0> b;
  vector<lower=0, upper=1>[N] p;
  real<lower=0.5, upper=1> q;
}
model {
  y ~ beta(a, b);
  p ~ beta(2, b);
  p ~ beta(y * 10, a);
  q ~ beta(a, b) T[0.5, ];
  a ~ gamma(2, 1);
  b ~ gamma(2, 1);
  target += beta_lpdf(p | 1, 1) + beta_lpdf(y | 3, b) + beta_lpdf(y | 2, 2);
  target += beta_lcdf(p | 2, 3) + beta_lccdf(y | a, b);
  target += log(beta_cdf(p[1] | a, b));
}
