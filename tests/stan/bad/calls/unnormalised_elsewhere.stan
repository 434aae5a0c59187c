generated quantities {
  real lp = normal_lupdf(0 | 0, 1);
}
