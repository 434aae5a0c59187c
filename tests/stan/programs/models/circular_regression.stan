// direction of movement given a covariate; the mean direction is a unit vector
data {
  int<lower=1> N;
  vector[N] x;
  vector<lower=-pi(), upper=pi()>[N] angle;
}
parameters {
  unit_vector[2] direction;
  real slope;
  real<lower=0> kappa;
}
model {
  real mu0 = atan2(direction[2], direction[1]);
  slope ~ normal(0, 1);
  kappa ~ gamma(2, 0.5);
  for (n in 1 : N) {
    angle[n] ~ von_mises(mu0 + 2 * atan(slope * x[n]), kappa);
  }
}
