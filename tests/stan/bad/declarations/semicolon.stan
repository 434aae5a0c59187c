data {
  int N
  int M;
}
