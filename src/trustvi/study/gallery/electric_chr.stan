// A television programme's effect on reading scores of classes, with effects of groups of classes,
// written by standard normals times their scale.
data {
  int<lower=1> classes;
  int<lower=1> groups;
  array[classes] int<lower=1, upper=groups> group;
  vector<lower=0, upper=1>[classes] treated;
  vector[classes] post_test;
}
parameters {
  vector[groups] eta;
  real mu;
  real effect;
  real<lower=0> sigma_group;
  real<lower=0> sigma;
}
model {
  eta ~ std_normal();
  mu ~ normal(100, 50);
  effect ~ normal(0, 50);
  sigma_group ~ cauchy(0, 10);
  sigma ~ cauchy(0, 10);
  post_test ~ normal(mu + sigma_group * eta[group] + effect * treated, sigma);
}
