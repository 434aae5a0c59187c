// sums, products, extrema and log-sums over loops, some of which only look like recurrences
data {
  int<lower=1> N;
  vector[N] y;
}
parameters {
  real mu;
  real<lower=0> s;
}
transformed parameters {
  real total = 0;
  real product_ = 1;
  real smallest = positive_infinity();
  real lse = negative_infinity();
  vector[N] partial;
  for (n in 1 : N) {
    total += square(y[n] - mu);
    product_ *= 1 + 0.1 * inv_logit(y[n] - mu);
    smallest = fmin(smallest, y[n] * s + mu);
    lse = log_sum_exp(lse, normal_lpdf(y[n] | mu, s));
  }
  for (n in 1 : N) {
    if (n == 1)
      partial[n] = y[n] * mu;
    else
      partial[n] = partial[n - 1] + y[n] * s;
  }
}
model {
  real both = 0;
  for (n in 1 : N) {
    both += y[n];
    both += mu * n;
    both -= s;
  }
  target += -total / s - log(product_) + smallest + lse - 0.1 * sum(partial) + 0.01 * both;
  mu ~ normal(0, 1);
  s ~ exponential(1);
}
