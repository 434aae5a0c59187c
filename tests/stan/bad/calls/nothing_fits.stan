parameters {
  vector[3] theta;
}
model {
  target += normal_lpdf(theta | {{1.0}}, 1);
}
