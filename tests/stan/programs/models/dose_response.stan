// Emax curve with a placebo effect, per-patient baselines
data {
  int<lower=1> N;
  int<lower=1> P;
  array[N] int<lower=1, upper=P> patient;
  vector<lower=0>[N] dose;
  vector[N] y;
}
parameters {
  real e0;
  real<lower=0> emax;
  real<lower=0> ed50;
  real<lower=0.5, upper=5> hill;
  vector[P] eta;
  real<lower=0> omega;
  real<lower=0> sigma;
}
model {
  vector[N] mu;
  for (n in 1 : N) {
    mu[n] = e0 + omega * eta[patient[n]]
            + emax * dose[n] ^ hill / (ed50 ^ hill + dose[n] ^ hill);
  }
  y ~ normal(mu, sigma);
  e0 ~ normal(0, 2);
  emax ~ normal(5, 3);
  ed50 ~ lognormal(1, 1);
  eta ~ std_normal();
  {omega, sigma} ~ normal(0, 1);
}
