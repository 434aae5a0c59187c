parameters {
  vector[3] theta;
}
model {
  target += log_sum_epx(theta);
}
