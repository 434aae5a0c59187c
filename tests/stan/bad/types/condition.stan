parameters {
  real x;
}
model {
  if (x) {
    target += 1;
  }
}
