model {
  target += 1 @ 2;
}
