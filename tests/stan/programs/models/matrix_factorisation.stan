// ratings as products of low-rank factors
data {
  int<lower=1> U;
  int<lower=1> V;
  int<lower=1> K;
  int<lower=1> N;
  array[N] int<lower=1, upper=U> user;
  array[N] int<lower=1, upper=V> item;
  vector[N] rating;
}
parameters {
  matrix[U, K] A;
  matrix[V, K] B;
  real mu;
  real<lower=0> sigma;
}
model {
  to_vector(A) ~ normal(0, 1);
  to_vector(B) ~ normal(0, 1);
  mu ~ normal(3, 1);
  sigma ~ exponential(1);
  for (n in 1 : N) {
    rating[n] ~ normal(mu + dot_product(A[user[n]], B[item[n]]), sigma);
  }
  rating ~ normal(mu + rows_dot_product(A[user], B[item]), 2);
}
