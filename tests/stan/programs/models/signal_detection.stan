// hits and false alarms, hierarchical in sensitivity and bias
data {
  int<lower=1> K;
  array[K] int<lower=0> hits;
  array[K] int<lower=0> false_alarms;
  array[K] int<lower=0> signals;
  array[K] int<lower=0> noises;
}
parameters {
  vector[K] d;
  vector[K] c;
  real mu_d;
  real mu_c;
  real<lower=0> lambda_d;
  real<lower=0> lambda_c;
}
transformed parameters {
  vector<lower=0, upper=1>[K] p_hit = Phi(d / 2 - c);
  vector<lower=0, upper=1>[K] p_false = Phi(-d / 2 - c);
}
model {
  {mu_d, mu_c} ~ normal(0, inv_sqrt(.001));
  {lambda_d, lambda_c} ~ gamma(.001, .001);
  d ~ normal(mu_d, inv_sqrt(lambda_d));
  c ~ normal(mu_c, inv_sqrt(lambda_c));
  hits ~ binomial(signals, p_hit);
  false_alarms ~ binomial(noises, p_false);
}
