transformed data {
  int n;
  n = 2.5;
}
