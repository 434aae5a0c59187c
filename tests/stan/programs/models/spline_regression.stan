// penalised basis expansion: random-walk prior over the coefficients
data {
  int<lower=1> N;
  int<lower=3> K;
  matrix[N, K] B;
  vector[N] y;
}
parameters {
  real level;
  vector[K] raw;
  real<lower=0> tau;
  real<lower=0> sigma;
}
transformed parameters {
  vector[K] w;
  w[1] = raw[1];
  for (k in 2 : K) {
    w[k] = w[k - 1] + tau * raw[k];
  }
}
model {
  raw ~ std_normal();
  tau ~ normal(0, 1);
  sigma ~ exponential(1);
  level ~ normal(mean(y), 5);
  y ~ normal(level + B * w, sigma);
}
generated quantities {
  vector[N] fitted = level + B * w;
}
