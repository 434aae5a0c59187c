// one-parameter item response
data {
  int<lower=1> I;
  int<lower=1> J;
  int<lower=1> N;
  array[N] int<lower=1, upper=I> item;
  array[N] int<lower=1, upper=J> person;
  array[N] int<lower=0, upper=1> y;
}
parameters {
  vector[I - 1] beta_free;
  vector[J] theta;
  real<lower=0> sigma;
}
transformed parameters {
  vector[I] beta = append_row(beta_free, rep_vector(-1 * sum(beta_free), 1));
}
model {
  target += normal_lpdf(beta | 0, 3);
  theta ~ normal(0, sigma);
  sigma ~ exponential(.1);
  y ~ bernoulli_logit(theta[person] - beta[item]);
}
