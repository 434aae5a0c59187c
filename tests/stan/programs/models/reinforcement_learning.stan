// subjects learn the values of two options; choice by softmax, reset at each subject
data {
  int<lower=1> S;
  int<lower=1> T;
  array[S] int<lower=0, upper=T> trials;
  array[S, T] int<lower=0, upper=2> choice;
  matrix[S, T] reward;
}
parameters {
  vector[2] mu;
  vector<lower=0>[2] sd_;
  vector[S] eta_raw;
  vector[S] tau_raw;
}
transformed parameters {
  vector<lower=0, upper=1>[S] eta = Phi_approx(mu[1] + sd_[1] * eta_raw);
  vector<lower=0, upper=5>[S] tau = 5 * Phi_approx(mu[2] + sd_[2] * tau_raw);
}
model {
  mu ~ std_normal();
  sd_ ~ normal(0, 0.2);
  eta_raw ~ std_normal();
  tau_raw ~ std_normal();
  for (s in 1 : S) {
    vector[2] v = rep_vector(0, 2);
    for (t in 1 : trials[s]) {
      choice[s, t] ~ categorical_logit(tau[s] * v);
      v[choice[s, t]] += eta[s] * (reward[s, t] - v[choice[s, t]]);
    }
  }
}
