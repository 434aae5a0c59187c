// sequential in time, parallel over individuals of different length
data {
  int<lower=1> I;
  int<lower=1> T;
  array[I] int<lower=1, upper=T> first;
  array[I] int<lower=1, upper=T> last_;
  matrix[I, T] y;
}
parameters {
  real<lower=0, upper=1> phi;
  vector[I] start;
  real<lower=0> s;
}
transformed parameters {
  matrix[I, T] mu = rep_matrix(0, I, T);
  for (i in 1 : I) {
    mu[i, first[i]] = start[i];
    for (t in (first[i] + 1) : last_[i]) {
      mu[i, t] = phi * mu[i, t - 1] + 0.1 * y[i, t - 1];
    }
  }
}
model {
  for (i in 1 : I) {
    real m = start[i];
    for (t in first[i] : last_[i]) {
      y[i, t] ~ normal(mu[i, t] + m, s);
      m = phi * m + 0.5;
    }
  }
  start ~ normal(0, 1);
  s ~ exponential(1);
}
