data {
  vector[3] y;
}
model {
  target += y(1);
}
