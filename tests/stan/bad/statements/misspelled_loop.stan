model {
  whlie (1) {
  }
}
