data {
  array[4] real a;
  array[2, 3] int k;
  array[2] vector[3] vs;
}
parameters {
  vector[3] v;
  row_vector[2] r;
  matrix[2, 3] M;
  array[3] real<lower=0> s;
}
model {
  for (x in a)
    x ~ normal(v[1], 1);
  for (row in k)
    for (i in row)
      i ~ poisson(s[1]);
  for (e in v)
    e ~ normal(0, 1);
  for (e in r) {
    e ~ normal(1, s[2]);
  }
  for (m in M)
    target += -square(m - 1);
  for (u in vs) {
    u ~ normal(v, s[3]);
    for (e in u)
      target += 0.1 * e * s[1];
  }
  for (e in s)
    e ~ exponential(2);
}
