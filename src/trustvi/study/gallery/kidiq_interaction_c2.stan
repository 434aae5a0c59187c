// Test scores of children by their mothers' schooling and IQ, with the interaction, around a half
// and around 100.
data {
  int<lower=1> children;
  vector[children] kid_score;
  vector<lower=0, upper=1>[children] mom_hs;
  vector[children] mom_iq;
}
transformed data {
  vector[children] hs = mom_hs - 0.5;
  vector[children] iq = mom_iq - 100;
  vector[children] interaction = hs .* iq;
}
parameters {
  vector[4] beta;
  real<lower=0> sigma;
}
model {
  sigma ~ cauchy(0, 2.5);
  kid_score ~ normal(beta[1] + beta[2] * hs + beta[3] * iq + beta[4] * interaction, sigma);
}
