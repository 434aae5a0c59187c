data {
  int<lower=0> N;
  vector[N] y;
  array[N] int<lower=0, upper=1> t;
  int<lower=0, upper=1> flag;
}
transformed data {
  real shift = flag ? mean(y) : 0;
  int big = N > 3 ? N : -N;
}
parameters {
  real a;
  real b;
  vector<lower=0>[2] s;
}
model {
  for (n in 1 : N) {
    y[n] ~ normal(t[n] ? a : b, t[n] == 1 ? s[1] : s[2]);
    y[n] ~ normal(t[n] ? a : y[n] > 0 ? b : a + b, 1 + (flag ? 1 : 0));
  }
  target += a > b ? -square(a - b) : a - b;
  target += normal_lpdf(a > 0 ? sqrt(a) : 0.0 | 0, flag ? s[1] : 2);
  (flag ? y : rep_vector(0, N)) ~ normal(shift, s[1]);
  s ~ exponential(big);
  {a, b} ~ normal(0, 1);
}
