data {
  int a,;
}
