data {
  int n;
}
model {
  n ~ poisson(3) T[1.5, ];
}
