data {
  int<lower=1> N;
  vector[N] x;
  array[N] int<lower=0, upper=1> y;
}
parameters {
  real a;
  real b;
}
transformed parameters {
  vector<lower=0, upper=1>[N] p;
  for (n in 1 : N) {
    p[n] = Phi(a + b * x[n]);
  }
}
model {
  a ~ normal(0, 2);
  b ~ normal(0, 2);
  for (n in 1 : N) {
    y[n] ~ bernoulli(p[n]);
  }
}
