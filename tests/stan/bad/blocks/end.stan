model {
  target += 1;
