// exponential covariance over locations, distances as data
data {
  int<lower=1> N;
  matrix<lower=0>[N, N] D;
  vector[N] y;
  vector[N] x;
}
parameters {
  vector[2] beta;
  real<lower=0> sill;
  real<lower=0> nugget;
  real<lower=0> range_;
}
model {
  matrix[N, N] S = sill * exp(-D / range_);
  for (i in 1 : N)
    S[i, i] = S[i, i] + nugget;
  beta ~ normal(0, 3);
  {sill, nugget} ~ inv_gamma(2, 1);
  range_ ~ gamma(2, 1);
  y ~ multi_normal_cholesky(beta[1] + beta[2] * x, cholesky_decompose(S));
}
