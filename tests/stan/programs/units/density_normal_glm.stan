data {
  int<lower=0> N;
  int<lower=0> K;
  matrix[N, K] x;
  vector[N] y;
}
parameters {
  real alpha;
  vector[N] alphas;
  vector[K] beta;
  real<lower=0> sigma;
  vector<lower=0>[N] sigmas;
}
model {
  y ~ normal_id_glm(x, alpha, beta, sigma);
  y ~ normal_id_glm(x, alphas, beta, sigma);
  y ~ normal_id_glm(x, alphas, beta, sigmas);
  target += normal_id_glm_lpdf(y | x, alpha, beta, 1.5);
  target += normal_id_glm_lupdf(y | x, 0.5, beta, sigma);
  target += normal_id_glm_lpdf(1.2 | x, alpha, beta, sigma);
}
