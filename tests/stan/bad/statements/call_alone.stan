model {
  print("x")
}
