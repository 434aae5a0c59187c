// Test scores of children by their mothers' schooling and IQ, with the interaction, on raw scales.
data {
  int<lower=1> children;
  vector[children] kid_score;
  vector<lower=0, upper=1>[children] mom_hs;
  vector[children] mom_iq;
}
transformed data {
  vector[children] interaction = mom_hs .* mom_iq;
}
parameters {
  vector[4] beta;
  real<lower=0> sigma;
}
model {
  sigma ~ cauchy(0, 2.5);
  kid_score ~ normal(beta[1] + beta[2] * mom_hs + beta[3] * mom_iq + beta[4] * interaction, sigma);
}
