model {
  if (1) {
    break;
  }
}
