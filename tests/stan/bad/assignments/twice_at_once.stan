transformed data {
  tuple(real, real) t = (1, 2);
  (t.1, t) = (3, t);
}
