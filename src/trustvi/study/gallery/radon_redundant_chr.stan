// Radon in the houses of counties, by a redundant parameterisation: the counties' standard normal
// effects are multiplied by a scale of either sign.
data {
  int<lower=1> houses;
  int<lower=1> counties;
  array[houses] int<lower=1, upper=counties> county;
  vector[houses] log_radon;
}
parameters {
  vector[counties] eta;
  real mu;
  real xi;
  real<lower=0> sigma;
}
model {
  eta ~ std_normal();
  mu ~ normal(0, 5);
  xi ~ normal(0, 5);
  sigma ~ normal(0, 5);
  log_radon ~ normal(mu + xi * eta[county], sigma);
}
