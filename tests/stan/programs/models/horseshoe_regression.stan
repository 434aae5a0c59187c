// regularised horseshoe
data {
  int<lower=1> N;
  int<lower=1> K;
  matrix[N, K] X;
  vector[N] y;
  real<lower=0> scale_global;
  real<lower=0> slab_scale;
  real<lower=0> slab_df;
}
parameters {
  real alpha;
  real<lower=0> sigma;
  vector[K] z;
  real<lower=0> tau;
  vector<lower=0>[K] lambda;
  real<lower=0> caux;
}
transformed parameters {
  real<lower=0> c = slab_scale * sqrt(caux);
  vector<lower=0>[K] lambda_tilde
    = sqrt(square(c) * square(lambda) ./ (square(c) + square(tau) * square(lambda)));
  vector[K] beta = z .* lambda_tilde * tau;
}
model {
  z ~ std_normal();
  lambda ~ student_t(1, 0, 1);
  tau ~ student_t(1, 0, scale_global * sigma);
  caux ~ inv_gamma(0.5 * slab_df, 0.5 * slab_df);
  alpha ~ normal(0, 5);
  sigma ~ exponential(1);
  y ~ normal(alpha + X * beta, sigma);
}
