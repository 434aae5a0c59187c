data {
  int<lower=0> T;
  vector[T] y;
}
parameters {
  real mu;
  real<lower=-1, upper=1> phi;
  real<lower=0> sigma;
  vector[T] h;
}
model {
  sigma ~ exponential(2);
  mu ~ normal(0, 3);
  h[1] ~ normal(mu, sigma / sqrt(1 - phi * phi));
  for (t in 2 : T)
    h[t] ~ normal(mu + phi * (h[t - 1] - mu), sigma);
  for (t in 1 : T)
    y[t] ~ normal(0, exp(h[t] / 2));
}
