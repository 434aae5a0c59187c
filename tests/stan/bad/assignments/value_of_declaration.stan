transformed data {
  vector[2] a = [1, 2];
}
