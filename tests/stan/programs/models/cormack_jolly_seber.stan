// survival and recapture of marked animals, both by occasion
functions {
  int first_capture(array[] int y) {
    for (t in 1 : size(y))
      if (y[t])
        return t;
    return 0;
  }
  int last_capture(array[] int y) {
    for (back in 0 : (size(y) - 1)) {
      int t = size(y) - back;
      if (y[t])
        return t;
    }
    return 0;
  }
  matrix prob_uncaptured(int I, int T, matrix p, matrix phi) {
    matrix[I, T] chi;
    for (i in 1 : I) {
      chi[i, T] = 1.0;
      for (t in 1 : (T - 1)) {
        int now = T - t;
        int next_ = now + 1;
        chi[i, now] = (1 - phi[i, now]) + phi[i, now] * (1 - p[i, next_ - 1]) * chi[i, next_];
      }
    }
    return chi;
  }
}
data {
  int<lower=0> I;
  int<lower=2> T;
  array[I, T] int<lower=0, upper=1> y;
  vector[I] x;
}
transformed data {
  array[I] int<lower=0, upper=T> first;
  array[I] int<lower=0, upper=T> last_;
  for (i in 1 : I)
    first[i] = first_capture(y[i]);
  for (i in 1 : I)
    last_[i] = last_capture(y[i]);
}
parameters {
  vector<lower=0, upper=1>[T - 1] beta;
  real<lower=0, upper=1> mean_p;
  real gamma;
}
transformed parameters {
  matrix<lower=0, upper=1>[I, T - 1] phi;
  matrix<lower=0, upper=1>[I, T - 1] p = rep_matrix(0, I, T - 1);
  matrix<lower=0, upper=1>[I, T] chi;
  for (i in 1 : I) {
    for (t in 1 : (first[i] - 1))
      phi[i, t] = 0;
    for (t in first[i] : (T - 1)) {
      phi[i, t] = inv_logit(logit(beta[t]) + gamma * x[i]);
      p[i, t] = mean_p;
    }
  }
  chi = prob_uncaptured(I, T, p, phi);
}
model {
  gamma ~ normal(0, 1);
  for (i in 1 : I) {
    if (first[i] > 0) {
      for (t in (first[i] + 1) : last_[i]) {
        1 ~ bernoulli(phi[i, t - 1]);
        y[i, t] ~ bernoulli(p[i, t - 1]);
      }
      1 ~ bernoulli(chi[i, last_[i]]);
    }
  }
}
