model {
  if (1) {
  } elif (2) {
  }
}
