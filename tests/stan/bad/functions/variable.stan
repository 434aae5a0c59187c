functions {
  int x = 3;
}
