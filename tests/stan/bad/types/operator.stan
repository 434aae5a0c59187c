data {
  vector[3] a;
  vector[3] b;
}
parameters {
  real x;
}
model {
  target += x * (a * b);
}
