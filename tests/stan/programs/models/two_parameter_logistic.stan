data {
  int<lower=1> I;
  int<lower=1> J;
  array[I, J] int<lower=0, upper=1> y;
}
parameters {
  vector[J] theta;
  vector<lower=0>[I] a;
  vector[I] b;
  real mu_b;
  real<lower=0> sigma_a;
  real<lower=0> sigma_b;
}
model {
  theta ~ std_normal();
  a ~ lognormal(0, sigma_a);
  b ~ normal(mu_b, sigma_b);
  mu_b ~ normal(0, 5);
  sigma_a ~ cauchy(0, 2);
  sigma_b ~ cauchy(0, 2);
  for (i in 1 : I)
    y[i] ~ bernoulli_logit(a[i] * (theta - b[i]));
}
