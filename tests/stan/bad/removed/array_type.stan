model {
  real[3] x;
}
