data {
  int<lower=0> N;
  vector<lower=-pi(), upper=pi()>[N] y;
}
parameters {
  real<lower=-pi(), upper=pi()> mu;
  real<lower=0> kappa;
  vector<lower=-pi(), upper=pi()>[N] x;
}
model {
  y ~ von_mises(mu, kappa);
  x ~ von_mises(mu, 3);
  x ~ von_mises(y, kappa);
  mu ~ von_mises(0.5, 2);
  kappa ~ lognormal(0, 1);
  target += von_mises_lpdf(y | 0, kappa) + von_mises_lpdf(x | 0.2, 0.8);
  target += von_mises_lcdf(x | mu, 1.5) + von_mises_lccdf(y | 0.1, kappa);
  target += log(von_mises_cdf(mu | 0, kappa));
}
