// lognormal and gamma margins joined by a normal copula
functions {
  real copula_lpdf(matrix z, matrix L) {
    int n = rows(z);
    int d = cols(z);
    real quadratic = sum(columns_dot_self(mdivide_left_tri_low(L, z')));
    return -n * sum(log(diagonal(L))) - 0.5 * quadratic + 0.5 * sum(square(to_vector(z))) + 0 * d;
  }
}
data {
  int<lower=1> N;
  vector<lower=0>[N] a;
  vector<lower=0>[N] b;
}
parameters {
  real mu;
  real<lower=0> sigma;
  real<lower=0> shape;
  real<lower=0> rate;
  cholesky_factor_corr[2] L;
}
model {
  matrix[N, 2] z;
  a ~ lognormal(mu, sigma);
  b ~ gamma(shape, rate);
  for (n in 1 : N) {
    z[n, 1] = inv_Phi(lognormal_cdf(a[n] | mu, sigma));
    z[n, 2] = inv_Phi(gamma_cdf(b[n] | shape, rate));
  }
  z ~ copula(L);
  L ~ lkj_corr_cholesky(2);
  mu ~ normal(0, 1);
  {sigma, shape, rate} ~ gamma(4, 2);
}
