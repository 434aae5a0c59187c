model {
  simplex[3] x;
}
