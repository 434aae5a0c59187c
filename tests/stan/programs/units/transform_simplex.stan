data {
  int<lower=1> K;
}
parameters {
  simplex[K] p;
  array[3] simplex[2] ps;
  array[2, 2] simplex[3] qs;
  simplex[1] sure;
}
model {
  p ~ dirichlet(rep_vector(2, K));
  target += log(p[K]) + dot_self(p);
  for (i in 1 : 3) {
    ps[i] ~ dirichlet([i, 1.5]');
  }
  for (i in 1 : 2)
    for (j in 1 : 2)
      qs[i, j] ~ dirichlet(rep_vector(i + j, 3));
  target += sum(sure);
}
