data {
  array[2] vector[2] a;
}
transformed data {
  matrix[2, 2] m = [a[1], a[2]];
}
