model {
  target += normal_rng(0, 1);
}
