data {
  int<lower=0> G;
  array[G] int<lower=0> size_;
  int<lower=0> N;
  vector[N] y;
  array[G] int<lower=1> first;
  array[G] int<lower=0> last_;
}
parameters {
  vector[G] mu;
  real<lower=0> s;
}
model {
  int pos = 1;
  for (g in 1 : G) {
    for (i in 1 : size_[g]) {
      y[pos] ~ normal(mu[g], s);
      pos += 1;
    }
  }
  for (g in 1 : G) {
    for (n in first[g] : last_[g]) {
      target += -abs(y[n] - mu[g]) / (last_[g] - first[g] + 1);
      if (n > first[g])
        target += 0.1 * mu[g] * (y[n] - y[n - 1]);
    }
  }
  pos = 1;
  for (g in 1 : G) {
    segment(y, pos, size_[g]) ~ normal(mu[g], 2 * s);
    pos += size_[g];
  }
  mu ~ normal(0, 1);
  s ~ exponential(1);
}
