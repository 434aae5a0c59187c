model {
  print("never closed);
}
