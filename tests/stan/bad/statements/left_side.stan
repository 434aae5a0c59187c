model {
  f(1) = 2;
}
