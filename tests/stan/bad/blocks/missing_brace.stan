data {
  int N;

parameters {
  real mu;
}
