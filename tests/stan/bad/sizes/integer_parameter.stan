parameters {
  int<lower=0> n;
}
