// each document has one unknown class
data {
  int<lower=2> K;
  int<lower=1> V;
  int<lower=1> M;
  array[M, V] int<lower=0> counts;
}
parameters {
  simplex[K] theta;
  array[K] simplex[V] phi;
}
transformed parameters {
  array[M, K] real gamma;
  for (m in 1 : M) {
    for (k in 1 : K) {
      gamma[m, k] = categorical_lpmf(k | theta) + multinomial_lpmf(counts[m] | phi[k]);
    }
  }
}
model {
  theta ~ dirichlet(rep_vector(1.5, K));
  for (k in 1 : K) {
    phi[k] ~ dirichlet(rep_vector(0.5, V));
  }
  for (m in 1 : M) {
    target += log_sum_exp(gamma[m]);
  }
}
