parameters {
  real mu;
  real σ;
}
