model {
  profile(fast) {
  }
}
