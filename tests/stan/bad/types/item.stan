data {
  tuple(int, real) a;
}
transformed data {
  real b = a.3;
}
