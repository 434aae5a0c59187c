data {
  matrix[3] x;
}
