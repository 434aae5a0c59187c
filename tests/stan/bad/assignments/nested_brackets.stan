transformed data {
  vector[3] a;
  a[1:2][1] = 0;
}
