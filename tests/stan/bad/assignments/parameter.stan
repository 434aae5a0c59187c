parameters {
  real mu;
}
model {
  mu = 0;
}
