transformed parameters {
  target += 1;
}
