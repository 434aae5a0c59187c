model {
  if 1 {
  }
}
