data {
  vector[N] y;
  int N;
}
