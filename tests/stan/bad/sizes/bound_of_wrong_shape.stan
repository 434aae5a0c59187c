data {
  matrix<lower=[0, 0]'>[2, 2] m;
}
