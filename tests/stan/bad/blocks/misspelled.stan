data {
  int N;
}
paramters {
  real mu;
}
