model {
  for (int i in 1:3) {
  }
}
