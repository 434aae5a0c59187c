model {
  1 ~ normal;
}
