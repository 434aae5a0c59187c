// votes of legislators: discrimination and difficulty of bills, two legislators fix the direction
data {
  int<lower=1> J;
  int<lower=1> M;
  int<lower=1> N;
  array[N] int<lower=1, upper=J> legislator;
  array[N] int<lower=1, upper=M> bill;
  array[N] int<lower=0, upper=1> vote;
}
parameters {
  vector[J - 2] x_free;
  real<upper=0> x_left;
  real<lower=0> x_right;
  vector[M] a;
  vector[M] b;
}
transformed parameters {
  vector[J] x;
  x[1] = x_left;
  x[2] = x_right;
  for (j in 3 : J)
    x[j] = x_free[j - 2];
}
model {
  x ~ normal(0, 1);
  a ~ normal(0, 2);
  b ~ normal(0, 2);
  for (n in 1 : N)
    vote[n] ~ bernoulli_logit(b[bill[n]] * x[legislator[n]] - a[bill[n]]);
}
