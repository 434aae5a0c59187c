data {
  tuple(real) x;
}
