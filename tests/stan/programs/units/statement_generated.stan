data {
  int<lower=1> N;
  vector[N] y;
}
parameters {
  real mu;
  real<lower=0> s;
}
transformed parameters {
  real<lower=0> v = square(s);
}
model {
  y ~ normal(mu, s);
  s ~ exponential(1);
}
generated quantities {
  vector[N] log_lik;
  array[2, 3] int table;
  int count = 0;
  real<lower=0> cv = s / abs(mu);
  matrix[2, 2] M = [[mu, s], [v, 1]];
  array[2] tuple(int, vector[2]) pairs;
  complex z = to_complex(mu, s);
  for (n in 1 : N) {
    log_lik[n] = normal_lpdf(y[n] | mu, s);
    count += y[n] > mu;
  }
  for (i in 1 : 2) {
    pairs[i] = (i, [mu, i]');
    for (j in 1 : 3)
      table[i, j] = 10 * i + j;
  }
}
