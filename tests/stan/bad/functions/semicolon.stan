functions {
  real f() {
    return 1;
  };
}
