// conditions on parameters: both sides, values and derivatives
data {
  int<lower=0> N;
  vector[N] y;
}
parameters {
  real mu;
  vector[N] x;
  real<lower=0> s;
}
model {
  if (mu > 0) {
    mu ~ normal(0, 1);
  } else {
    mu ~ double_exponential(0, 2);
    target += -log1p(exp(mu)) + log(2);
  }
  for (n in 1 : N) {
    real loss;
    if (x[n] > y[n]) {
      loss = square(x[n] - y[n]);
    } else if (x[n] < -1) {
      loss = sqrt(-x[n]) * 2;
    } else {
      loss = s * (y[n] - x[n]);
    }
    target += -loss;
    if (x[n] > 0)
      target += log(x[n]) * 0.1 - x[n];
    if (x[n] > 0 && log(x[n]) < s)
      target += -0.2 * x[n];
  }
  x ~ normal(mu, 1);
  s ~ exponential(1);
}
