data {
  int<lower=2> K;
  int<lower=0> N;
  array[N] int<lower=1, upper=K> player1;
  array[N] int<lower=1, upper=K> player0;
  array[N] int<lower=0, upper=1> y;
}
parameters {
  vector[K] alpha;
  real home;
  real<lower=0> sigma;
}
model {
  sigma ~ lognormal(0, 0.5);
  alpha ~ normal(0, sigma);
  sum(alpha) ~ normal(0, 0.01 * K);
  home ~ normal(0, 1);
  y ~ bernoulli_logit(home + alpha[player1] - alpha[player0]);
}
generated quantities {
  array[K] int ranking = sort_indices_desc(alpha);
}
