// complete rankings: choose the best of those that are left
data {
  int<lower=2> K;
  int<lower=1> N;
  array[N, K] int<lower=1, upper=K> order;
}
parameters {
  vector[K - 1] free;
}
transformed parameters {
  vector[K] worth = append_row(0, free);
}
model {
  free ~ normal(0, 2);
  for (n in 1 : N) {
    vector[K] w = worth[order[n]];
    for (k in 1 : (K - 1)) {
      target += w[k] - log_sum_exp(w[k : K]);
    }
  }
}
