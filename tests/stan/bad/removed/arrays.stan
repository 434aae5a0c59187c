data {
  int N;
  real y[N, 3];
}
