transformed data {
  real x = fabs(-2.5);
}
