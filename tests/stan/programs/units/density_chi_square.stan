data {
  int<lower=0> N;
  vector<lower=0>[N] y;
}
parameters {
  real<lower=0> nu;
  vector<lower=0>[N] nus;
  real<lower=0> x;
}
model {
  y ~ chi_square(nu);
  y ~ chi_square(nus);
  nus ~ chi_square(4);
  x ~ chi_square(nu);
  nu ~ chi_square(6.5);
  target += chi_square_lpdf(y | 3);
  target += chi_square_lpdf(x | 2);
  target += chi_square_lcdf(x | 5) + chi_square_lccdf(y | nu);
  target += log(chi_square_cdf(x | nu));
}
