data {
  array[3] vector[2] a;
}
transformed data {
  real b = a[1, 2, 1];
}
