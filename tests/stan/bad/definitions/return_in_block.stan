model {
  return;
}
