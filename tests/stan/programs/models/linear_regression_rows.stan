// one predictor, a loop over the rows, improper priors
data {
  int<lower=1> N;
  array[N] real x;
  array[N] real y;
}
parameters {
  real a;
  real b;
  real<lower=0, upper=100> sigma;
}
model {
  for (i in 1 : N) {
    y[i] ~ normal(a + b * x[i], sigma);
  }
}
