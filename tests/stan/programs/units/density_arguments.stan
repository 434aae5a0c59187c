// every container shape a univariate density takes, in one program
data {
  vector[3] v;
  row_vector[3] r;
  array[3] real a;
  array[3] int<lower=0> k;
}
parameters {
  vector[3] mu;
  row_vector[3] nu;
  array[3] real xi;
  real<lower=0> s;
}
model {
  v ~ normal(r, s);
  r ~ normal(mu, a);
  a ~ normal(xi, s);
  mu ~ normal(nu, k);
  nu ~ normal(0, k[1]);
  xi ~ normal(1, 2);
  k ~ poisson(exp(nu));
  k ~ poisson(exp(xi));
  k[1] ~ poisson(exp(mu));
  1.5 ~ normal(mu, s);
  1 ~ normal(nu, 1);
  target += normal_lpdf(a | mu, exp(r)) + cauchy_lpdf(0 | xi, s);
  target += poisson_log_lpmf(k | nu) + poisson_log_lpmf(2 | mu);
  s ~ gamma(k, v);
}
