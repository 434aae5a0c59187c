transformed data {
  array[3] int next = {2, 3, 1};
  next[next[1]] = 2;
}
