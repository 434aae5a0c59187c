model {
  print(sin);
}
