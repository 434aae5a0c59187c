model {
  1 + 2;
}
