data {
  array[2] array[3] real x;
}
