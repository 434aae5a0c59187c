functions {
  vector shard(vector beta, vector theta, data array[] real x, data array[] int y) {
    real lp = normal_lpdf(theta | beta[1], exp(beta[2]));
    for (n in 1 : size(y))
      lp += bernoulli_logit_lpmf(y[n] | theta[1] + theta[2] * x[n]);
    return [lp, theta[1]]';
  }
}
data {
  int<lower=1> K;
  int<lower=1> N;
  array[K, N] int<lower=0, upper=1> y;
  array[K, N] real x;
}
parameters {
  vector[2] beta;
  array[K] vector[2] theta;
}
model {
  vector[2 * K] out = map_rect(shard, beta, theta, x, y);
  target += sum(out);
  beta ~ normal(0, 1);
}
