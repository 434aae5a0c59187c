data {
  int<lower=0> N;
  vector[N] x;
}
parameters {
  vector[N] u;
  real<lower=0> s;
}
model {
  for (i in 1 : N) {
    for (j in (i + 1) : N) {
      target += -s * square(u[i] - u[j]) * exp(-abs(x[i] - x[j]));
    }
  }
  for (i in 1 : (N - 1)) {
    for (j in 1 : (N - i)) {
      target += 0.1 * u[i] * u[i + j] * j;
    }
  }
  for (i in 2 : N)
    for (j in 1 : i - 1)
      for (k in 1 : j)
        target += 0.01 * u[i] * u[j] * u[k];
  for (n in 1 : N)
    target += -u[N - n + 1] * x[n];
  u ~ normal(0, 1);
  s ~ exponential(1);
}
