data {
  int n;
}
model {
  for (i in n) {
    print(i);
  }
}
