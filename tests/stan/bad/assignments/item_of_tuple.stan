transformed data {
  real x;
  int n;
  (n, x) = (1.5, 2);
}
