// entry into the population, survival and detection; augmented data, states summed out forwards
data {
  int<lower=0> M;
  int<lower=0> T;
  array[M, T] int<lower=0, upper=1> y;
}
transformed data {
  array[M] int first = rep_array(0, M);
  array[M] int last_ = rep_array(0, M);
  for (i in 1 : M) {
    for (t in 1 : T) {
      if (y[i, t] == 1) {
        if (first[i] == 0) {
          first[i] = t;
        }
        last_[i] = t;
      }
    }
  }
}
parameters {
  real<lower=0, upper=1> phi;
  real<lower=0, upper=1> p;
  vector<lower=0, upper=1>[T] gamma;
}
model {
  vector[T] chi;
  chi[T] = 1;
  for (back in 1 : (T - 1)) {
    int t = T - back;
    chi[t] = (1 - phi) + phi * (1 - p) * chi[t + 1];
  }
  for (i in 1 : M) {
    vector[T] qgamma = 1 - gamma;
    if (first[i] > 0) {
      vector[first[i]] lp;
      for (entry in 1 : first[i]) {
        lp[entry] = log(gamma[entry]) + sum(log(qgamma[1 : (entry - 1)]))
                    + (first[i] - entry) * (log(phi) + log1m(p)) + log(p);
      }
      target += log_sum_exp(lp);
      for (t in (first[i] + 1) : last_[i]) {
        target += log(phi) + bernoulli_lpmf(y[i, t] | p);
      }
      target += log(chi[last_[i]]);
    } else {
      vector[T + 1] lp;
      for (entry in 1 : T) {
        lp[entry] = sum(log(qgamma[ : (entry - 1)])) + log(gamma[entry]) + log1m(p) + log(chi[entry]);
      }
      lp[T + 1] = sum(log(qgamma));
      target += log_sum_exp(lp);
    }
  }
  gamma ~ beta(1, 3);
}
