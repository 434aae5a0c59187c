data {
  real n;
}
model {
  for (i in 1:n) {
    print(i);
  }
}
