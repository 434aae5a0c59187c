// parameters without elements, and blocks that name them
data {
  int<lower=0> K;
}
parameters {
  vector[K] none;
  matrix[K, 3] nothing;
  array[K] simplex[2] nowhere;
  array[0] real<lower=0> never;
  real mu;
  ordered[K] no_order;
}
transformed parameters {
  vector[K] still = none + mu;
}
model {
  mu ~ normal(sum(none), 1);
  still ~ normal(0, 1);
  to_vector(nothing) ~ std_normal();
  never ~ exponential(1);
  target += num_elements(nowhere) + sum(no_order);
}
