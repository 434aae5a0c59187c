functions {
  real part(vector y, int start, int end) {
    return sum(y);
  }
}
data {
  vector[9] y;
}
model {
  target += reduce_sum(part, y, 1);
}
