generated quantities {
  real lp = target();
}
