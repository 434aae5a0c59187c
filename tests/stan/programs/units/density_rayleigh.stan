data {
  int<lower=0> N;
  vector<lower=0>[N] y;
}
parameters {
  real<lower=0> sigma;
  vector<lower=0>[N] sigmas;
  real<lower=0> x;
}
model {
  y ~ rayleigh(sigma);
  y ~ rayleigh(sigmas);
  sigmas ~ rayleigh(2);
  x ~ rayleigh(sigma);
  target += rayleigh_lpdf(x | 1.5) + rayleigh_lpdf(y | 0.7);
  target += rayleigh_lcdf(x | sigma) + rayleigh_lccdf(y | sigma);
  target += rayleigh_cdf(sigmas | 3);
  sigma ~ exponential(1);
}
