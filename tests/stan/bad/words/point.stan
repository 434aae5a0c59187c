model {
  target += x . y;
}
