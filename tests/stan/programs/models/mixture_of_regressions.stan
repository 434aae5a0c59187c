data {
  int<lower=1> N;
  int<lower=2> K;
  vector[N] x;
  vector[N] y;
}
parameters {
  simplex[K] w;
  vector[K] a;
  ordered[K] b;
  vector<lower=0>[K] s;
}
model {
  matrix[N, K] lp;
  for (k in 1 : K) {
    for (n in 1 : N) {
      lp[n, k] = log(w[k]) + normal_lpdf(y[n] | a[k] + b[k] * x[n], s[k]);
    }
  }
  for (n in 1 : N) {
    target += log_sum_exp(lp[n]);
  }
  a ~ normal(0, 5);
  b ~ normal(0, 2);
  s ~ exponential(1);
}
