// group indices in both directions: reads by group, sums into groups, last writer wins
data {
  int<lower=1> N;
  int<lower=1> G;
  array[N] int<lower=1, upper=G> g;
  array[N, 2] int<lower=1, upper=G> pair;
  vector[N] x;
}
parameters {
  vector[G] mu;
  matrix[G, G] A;
  real<lower=0> s;
}
model {
  vector[G] total = rep_vector(0, G);
  vector[G] latest = rep_vector(1, G);
  matrix[G, G] counts = rep_matrix(0, G, G);
  array[G] vector[2] acc = rep_array(rep_vector(0, 2), G);
  for (n in 1 : N) {
    total[g[n]] += x[n] * mu[g[n]];
    latest[g[n]] = mu[g[n]] * n;
    counts[pair[n, 1], pair[n, 2]] += A[pair[n, 2], pair[n, 1]] + x[n];
    acc[g[n], 1] += s;
    acc[g[n]][2] -= x[n] * s;
  }
  for (n in 1 : N)
    x[n] ~ normal(mu[g[n]] + A[g[n], pair[n, 1]], s);
  x ~ normal(mu[g] + mu[pair[ : , 2]], s);
  total ~ normal(latest, 1);
  to_vector(counts) ~ normal(0, 2);
  for (k in 1 : G)
    target += -dot_self(acc[k]);
  mu ~ normal(0, 1);
}
