// Varying intercepts and slopes: reaction times of subjects over days without sleep (simulated).
data {
  int<lower=0> N;
  int<lower=1> J;
  array[N] int<lower=1, upper=J> subject;
  vector[N] day;
  vector[N] time;
}
parameters {
  real alpha;
  real beta;
  real<lower=0> sigma_alpha;
  real<lower=0> sigma_beta;
  real<lower=0> sigma;
  vector[J] a;
  vector[J] b;
}
model {
  alpha ~ normal(3, 1);
  beta ~ normal(0, 1);
  sigma_alpha ~ normal(0, 1);
  sigma_beta ~ normal(0, 1);
  sigma ~ normal(0, 1);
  a ~ normal(alpha, sigma_alpha);
  b ~ normal(beta, sigma_beta);
  time ~ normal(a[subject] + b[subject] .* day, sigma);
}
generated quantities {
  real next = normal_rng(alpha + 10 * beta, sigma);
}
