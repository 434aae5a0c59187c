parameters {
  real<lower=0> lambda;
}
model {
  lambda ~ poisson(3);
}
