// loops that run never, or once, and bounds that come from data
data {
  int N;
  int M;
  vector[3] y;
}
parameters {
  real mu;
}
model {
  for (n in 1 : N) {
    y[n] ~ normal(mu, 1);
  }
  for (n in 3 : 1) {
    target += log(-1 - mu);
  }
  for (n in M : M) {
    y[n] ~ normal(mu, n);
  }
  for (n in 2 : M)
    for (m in 1 : N)
      mu ~ normal(n, m);
  for (n in -1 : 1) {
    mu ~ normal(n, 2);
  }
  for (n in size(y) : num_elements(y))
    mu ~ cauchy(y[n], 1);
}
