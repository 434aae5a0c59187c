// links between nodes with soft memberships of two blocks, over pairs of nodes
data {
  int<lower=2> N;
  int<lower=2> K;
  array[N, N] int<lower=0, upper=1> link;
}
parameters {
  array[N] simplex[K] membership;
  matrix<lower=0, upper=1>[K, K] B;
}
model {
  for (n in 1 : N)
    membership[n] ~ dirichlet(rep_vector(0.8, K));
  for (i in 1 : K)
    for (j in 1 : K)
      B[i, j] ~ beta(i == j ? 8 : 2, i == j ? 2 : 8);
  for (i in 1 : N)
    for (j in 1 : N)
      if (i != j)
        link[i, j] ~ bernoulli(membership[i]' * B * membership[j]);
}
