// the last category is the reference
data {
  int<lower=2> C;
  int<lower=1> N;
  int<lower=1> K;
  array[N] int<lower=1, upper=C> y;
  matrix[N, K] X;
}
transformed data {
  vector[K] zeros = rep_vector(0, K);
}
parameters {
  matrix[K, C - 1] beta_free;
}
transformed parameters {
  matrix[K, C] beta = append_col(beta_free, zeros);
}
model {
  matrix[N, C] eta = X * beta;
  to_vector(beta_free) ~ normal(0, 3);
  for (n in 1 : N) {
    y[n] ~ categorical_logit(eta[n]');
  }
}
