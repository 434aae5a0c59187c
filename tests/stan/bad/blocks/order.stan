parameters {
  real mu;
}
data {
  int N;
}
