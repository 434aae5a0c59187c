parameters {
  real var;
}
