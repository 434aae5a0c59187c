model {
  for (i in 1:) {
  }
}
