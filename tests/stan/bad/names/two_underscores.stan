parameters {
  real theta__;
}
