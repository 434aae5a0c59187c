data {
  int<lower=2> K;
  vector[K] direction;
}
parameters {
  unit_vector[K] u;
  array[2] unit_vector[2] angles;
  real<lower=0> kappa;
}
transformed parameters {
  array[2] real<lower=-pi(), upper=pi()> phi;
  for (i in 1 : 2) {
    phi[i] = atan2(angles[i, 2], angles[i, 1]);
  }
}
model {
  target += kappa * dot_product(u, direction);
  phi ~ von_mises(0.3, kappa);
  kappa ~ exponential(1);
}
