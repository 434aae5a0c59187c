parameters {
  real mu;
}
model {
  target += atan2(mu | 1);
}
