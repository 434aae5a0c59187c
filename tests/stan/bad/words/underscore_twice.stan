transformed data {
  int N = 10__000;
}
