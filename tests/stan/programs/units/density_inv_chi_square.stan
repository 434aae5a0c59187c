data {
  int<lower=0> N;
  vector<lower=0>[N] y;
}
parameters {
  real<lower=0> nu;
  real<lower=0> s;
  vector<lower=0>[N] x;
}
model {
  y ~ inv_chi_square(nu);
  x ~ inv_chi_square(3);
  nu ~ inv_chi_square(2);
  s ~ scaled_inv_chi_square(nu, 1.5);
  y ~ scaled_inv_chi_square(4, s);
  x ~ scaled_inv_chi_square(nu, s);
  target += inv_chi_square_lpdf(y | nu) + scaled_inv_chi_square_lpdf(y | 2, 3);
  target += inv_chi_square_lcdf(x | 4) + inv_chi_square_lccdf(y | nu);
  target += scaled_inv_chi_square_lcdf(x | 4, s) + scaled_inv_chi_square_lccdf(y | nu, s);
  target += inv_chi_square_cdf(s | nu) + scaled_inv_chi_square_cdf(s | 3, 1);
}
