// long enough that unrolling would hurt
data {
  int<lower=1> T;
  vector[T] y;
}
parameters {
  real<lower=0, upper=1> a;
  real<lower=0> s0;
  real mu;
}
transformed parameters {
  vector<lower=0>[T] sigma;
  sigma[1] = s0;
  for (t in 2 : T)
    sigma[t] = sqrt(0.1 + a * square(y[t - 1] - mu) + 0.5 * square(sigma[t - 1]));
}
model {
  y ~ normal(mu, sigma);
  s0 ~ exponential(1);
  mu ~ normal(0, 1);
}
