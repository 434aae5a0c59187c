model {
  1 ~ normal(0, 1) T[0];
}
