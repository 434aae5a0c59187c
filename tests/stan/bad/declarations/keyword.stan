data {
  int offset;
}
