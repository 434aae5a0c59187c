// order statistics of parameters: permutations decided by values
data {
  int<lower=1> N;
  vector[N] y;
}
parameters {
  vector[N] x;
  array[N] real a;
}
transformed parameters {
  vector[N] s = sort_asc(x);
  vector[N] d = sort_desc(x);
  array[N] real t = sort_asc(a);
  vector[N] by_data = x[sort_indices_asc(y)];
}
model {
  array[N] int order = sort_indices_desc(y);
  s ~ normal(linspaced_vector(N, -1, 1), 1);
  d ~ normal(2 * y, 3);
  t ~ normal(0, 2);
  for (n in 1 : N)
    target += -square(x[order[n]] - n) * 0.1 - rank(y, n) * x[n];
  target += -max(x) * min(x) - quantile(y, 0.5) * x[1];
  a ~ normal(by_data, 1);
}
