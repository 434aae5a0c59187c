data {
  real y;
}
model {
  for (i in 1:3) {
    real y = i;
  }
}
