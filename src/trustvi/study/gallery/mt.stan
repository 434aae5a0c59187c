// Size of a closed population by capture and recapture: detection varies between the occasions.
// The data are augmented by animals never seen, of which the share omega is real or not.
data {
  int<lower=1> animals;
  int<lower=1> occasions;
  array[animals, occasions] int<lower=0, upper=1> seen;
}
transformed data {
  array[animals] int times;
  int unseen = 0;
  for (i in 1:animals) {
    times[i] = sum(seen[i]);
    unseen += times[i] == 0;
  }
}
parameters {
  real<lower=0, upper=1> omega;
  vector<lower=0, upper=1>[occasions] p;
}
model {
  for (i in 1:animals) {
    real there = bernoulli_lpmf(1 | omega) + bernoulli_lpmf(seen[i] | p);
    if (times[i] > 0) {
      target += there;
    } else {
      target += log_sum_exp(there, bernoulli_lpmf(0 | omega));
    }
  }
}
generated quantities {
  real never_seen = prod(1 - p);
  real omega_unseen = omega * never_seen / (omega * never_seen + 1 - omega);
  int population = animals - binomial_rng(unseen, 1 - omega_unseen);
}
