data {
  int<lower=2> C;
  int<lower=0> N;
  array[N] int<lower=1, upper=C> y;
  matrix[N, 2] X;
}
parameters {
  simplex[C] theta;
  array[N] simplex[C] thetas;
  vector[C] eta;
  matrix[2, C] B;
}
model {
  y ~ categorical(theta);
  y[1] ~ categorical(theta);
  for (n in 1 : N) {
    y[n] ~ categorical(thetas[n]);
    y[n] ~ categorical_logit((X[n] * B)');
  }
  y ~ categorical_logit(eta);
  y ~ categorical_logit_glm(X, eta, B);
  target += categorical_lpmf(y | theta) + categorical_logit_lpmf(y[2] | 20 * eta);
  target += categorical_lpmf(2 | [0.2, 0.5, 0.3]') + categorical_logit_glm_lpmf(y | X, eta, B);
  eta ~ normal(0, 2);
  to_vector(B) ~ std_normal();
}
