data {
  int<lower=1> N;
  vector[N] y;
}
transformed data {
  int halvings = 0;
  int left = N * 13;
  while (left > 1) {
    left = left %/% 2;
    halvings += 1;
  }
}
parameters {
  real mu;
  real<lower=0> s;
}
model {
  int n = 1;
  while (n <= N) {
    y[n] ~ normal(mu, s);
    n += 2;
  }
  n = N;
  while (1) {
    if (n < 1)
      break;
    if (n % 3 == 0) {
      n -= 1;
      continue;
    }
    target += -0.1 * square(y[n] - mu * n);
    n -= 1;
  }
  mu ~ normal(halvings, 5);
  s ~ exponential(1);
}
