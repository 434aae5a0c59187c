parameters {
  real<lower=0> n;
}
transformed parameters {
  vector[to_int(n)] y;
}
