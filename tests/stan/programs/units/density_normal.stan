data {
  int<lower=0> N;
  vector[N] y;
}
parameters {
  real mu;
  real<lower=0> sigma;
  vector[N] theta;
  real z;
}
model {
  mu ~ normal(0, 10);
  sigma ~ normal(1, 2);
  y ~ normal(mu, sigma);
  y ~ normal(theta, sigma);
  theta ~ normal(y, 2.5);
  theta ~ normal(mu, abs(y) + 1);
  z ~ std_normal();
  theta ~ std_normal();
  target += normal_lpdf(to_array_1d(theta) | 0, {1.0, 2.0, 3.0, 4.0});
  target += normal_lupdf(z | mu, sigma);
  target += normal_lpdf(y | 1, 2);
  target += std_normal_lpdf(theta);
  target += normal_lpdf(3 | mu, 2) + normal_lpdf(1.5 | 1, 2);
}
