functions {
  tuple(real, vector) moments(vector x) {
    return (mean(x), x - mean(x));
  }
  real use(tuple(real, array[] int) t, real a) {
    return t.1 * a + sum(t.2);
  }
}
data {
  int<lower=0> N;
  tuple(int, real) d;
  array[N] tuple(real, vector[2]) rows;
}
parameters {
  real a;
  vector[3] v;
}
transformed parameters {
  tuple(real, vector[3]) m = moments(v);
  array[2] tuple(real, real) pairs;
  for (i in 1 : 2) {
    pairs[i] = (a * i, v[i]);
    pairs[i].1 += 1;
  }
}
model {
  real centre;
  vector[3] rest;
  (centre, rest) = moments(v * 2);
  tuple(int, tuple(real, real)) nested = (3, (a, centre));
  nested.2.1 = nested.2.1 + d.2;
  real swap1 = a;
  real swap2 = v[1];
  (swap1, swap2) = (swap2, swap1 + 1);
  for (n in 1 : N) {
    rows[n].1 ~ normal(a, 1);
    rows[n].2 ~ normal(m.1, 2);
  }
  for (row in rows)
    target += -0.1 * row.1 * a;
  target += -square(centre) - dot_self(rest) - nested.2.1 - d.1 * a;
  target += use((a, {1, 2}), v[2]) - square(swap1) * swap2;
  target += -square(pairs[1].1) - square(pairs[2].2);
  v ~ normal(0, 1);
  a ~ normal(0, 1);
}
