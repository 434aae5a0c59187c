data {
  int a;
  int b;
}
model {
  if (a & b) {
    target += 1;
  }
}
