// data and definitions that nothing uses, comments of all kinds, empty blocks
/* a block comment
   over lines */
functions {
  real never_called(real x) {
    return log(-abs(x) - 1);
  }
}
data {
  int<lower=0> N; // rows
  vector[N] y;
  array[0, 3] int empty_table;
  real unused;
}
transformed data {

}
parameters {
  real mu;
  real idle;
}
transformed parameters {
  real same = mu;
  vector[0] nothing;
}
model {
  real local_unused = square(mu) * 1e10;
  y ~ normal(same, 1);
  if (0)
    target += never_called(mu);
  // the last comment /* not opened
}
generated quantities {
}
