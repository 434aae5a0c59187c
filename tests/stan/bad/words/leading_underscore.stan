parameters {
  real _mu;
}
