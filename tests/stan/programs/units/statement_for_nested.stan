data {
  int<lower=0> I;
  int<lower=0> J;
  matrix[I, J] y;
  array[I, J] int<lower=0, upper=1> z;
}
parameters {
  vector[I] a;
  vector[J] b;
  real<lower=0> s;
}
model {
  for (i in 1 : I) {
    real shift = a[i] / (i + 1);
    for (j in 1 : J) {
      y[i, j] ~ normal(a[i] + b[j], s);
      if (z[i, j] == 1)
        z[i, j] ~ bernoulli_logit(a[i] - b[j]);
      target += -square(shift - b[j]) / I;
    }
  }
  for (j in 1 : J)
    for (i in 1 : I)
      z[i, j] ~ bernoulli_logit(b[j] * a[i]);
  append_row(a, b) ~ normal(0, 1);
}
