data {
  int<lower=0> count;
  vector[count] height;
}
parameters {
  real mu;
}
model {
  heigth ~ normal(mu, 1);
}
