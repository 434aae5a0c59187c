// right-censored times
data {
  int<lower=0> N;
  vector<lower=0>[N] t;
  array[N] int<lower=0, upper=1> event;
  vector[N] x;
}
parameters {
  real alpha;
  real beta;
}
model {
  alpha ~ normal(0, 2);
  beta ~ normal(0, 1);
  for (n in 1 : N) {
    real rate = exp(alpha + beta * x[n]);
    if (event[n] == 0) {
      target += exponential_lccdf(t[n] | rate);
    } else {
      target += exponential_lpdf(t[n] | rate);
    }
  }
}
