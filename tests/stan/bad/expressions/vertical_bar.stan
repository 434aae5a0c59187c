model {
  target += normal_lpdf(1, 2 | 3);
}
