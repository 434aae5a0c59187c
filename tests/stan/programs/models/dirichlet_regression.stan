data {
  int<lower=1> N;
  int<lower=2> C;
  vector[N] x;
  array[N] simplex[C] y;
}
parameters {
  vector[C] a;
  vector[C] b;
}
model {
  a ~ normal(1, 1);
  b ~ normal(0, 1);
  for (n in 1 : N) {
    y[n] ~ dirichlet(exp(a + b * x[n]));
  }
}
