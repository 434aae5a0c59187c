data {
  int<lower=1> N;
  array[N] int<lower=1> id;
  vector[N] x;
}
transformed data {
  int G = max(id);
  array[G] int counts = rep_array(0, G);
  array[G] real sums = rep_array(0.0, G);
  vector[N] z = (x - mean(x)) / sd(x);
  array[N] int order = sort_indices_desc(x);
  int primes = 0;
  matrix[N, G] X = rep_matrix(0, N, G);
  array[0] int nothing;
  real product_ = 1;
  for (n in 1 : N) {
    counts[id[n]] += 1;
    sums[id[n]] += x[n];
    X[n, id[n]] = 1;
    product_ *= 1 + abs(x[n]);
  }
  for (c in 2 : 30) {
    int composite = 0;
    for (d in 2 : (c - 1)) {
      if (c % d == 0) {
        composite = 1;
        break;
      }
    }
    primes += 1 - composite;
  }
}
parameters {
  vector[G] mu;
  real<lower=0> s;
}
model {
  x ~ normal(X * mu, s);
  z[order] ~ normal(mu[id], 2);
  for (g in 1 : G)
    sums[g] ~ normal(counts[g] * mu[g], sqrt(counts[g]));
  mu ~ normal(0, primes);
  s ~ exponential(1 / product_);
}
