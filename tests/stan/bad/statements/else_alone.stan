model {
  else {
  }
}
