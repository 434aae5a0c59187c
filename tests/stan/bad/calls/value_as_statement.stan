transformed data {
  sqrt(2.0);
}
