data {
  int<lower=0> N;
  vector[N] y;
  array[N] int<lower=0, upper=1> keep;
  array[N, 3] int<lower=0> cell;
}
parameters {
  real mu;
  real<lower=0> s;
}
model {
  for (n in 1 : N) {
    if (keep[n] == 0)
      continue;
    y[n] ~ normal(mu, s);
    if (n > 5)
      break;
  }
  for (n in 1 : N) {
    for (j in 1 : 3) {
      if (cell[n, j] == 0)
        break;
      if (cell[n, j] > 4)
        continue;
      target += poisson_lpmf(cell[n, j] | s * j);
    }
    target += -0.01 * mu * n;
  }
  for (n in 1 : N) {
    if (y[n] > 0) {
      if (y[n] > 1)
        continue;
      target += -mu * y[n];
    } else {
      target += mu * y[n];
    }
    target += -s;
  }
  mu ~ normal(0, 1);
}
