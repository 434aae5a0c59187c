model {
  vectr[3] x;
}
