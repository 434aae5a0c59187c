data {
  vector[3] a;
}
transformed data {
  real b = a.1;
}
