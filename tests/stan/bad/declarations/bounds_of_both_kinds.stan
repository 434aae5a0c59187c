parameters {
  real<lower=0, multiplier=2> x;
}
