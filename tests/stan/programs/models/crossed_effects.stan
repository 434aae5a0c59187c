// raters by items, both random
data {
  int<lower=1> N;
  int<lower=1> I;
  int<lower=1> R;
  array[N] int<lower=1, upper=I> item;
  array[N] int<lower=1, upper=R> rater;
  array[N] int<lower=0, upper=1> y;
  vector[N] x;
}
parameters {
  real mu;
  real beta;
  vector[I] a_raw;
  vector[R] b_raw;
  real<lower=0> sigma_a;
  real<lower=0> sigma_b;
}
transformed parameters {
  vector[I] a = sigma_a * a_raw;
  vector[R] b = sigma_b * b_raw;
}
model {
  mu ~ normal(0, 2);
  beta ~ normal(0, 1);
  a_raw ~ std_normal();
  b_raw ~ std_normal();
  {sigma_a, sigma_b} ~ normal(0, 1);
  for (n in 1 : N) {
    y[n] ~ bernoulli_logit(mu + beta * x[n] + a[item[n]] + b[rater[n]]);
  }
}
