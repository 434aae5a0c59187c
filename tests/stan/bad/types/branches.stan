data {
  vector[3] a;
  row_vector[3] b;
}
transformed data {
  vector[3] c = 1 ? a : b;
}
