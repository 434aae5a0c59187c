// half-normal detection by distance classes
data {
  int<lower=1> B;
  vector[B + 1] cut;
  array[B] int<lower=0> counts;
  real<lower=0> width;
}
parameters {
  real<lower=0> sigma;
  real<lower=0> density_;
}
transformed parameters {
  vector[B] p;
  for (b in 1 : B) {
    p[b] = sqrt(2 * pi()) * sigma * (Phi(cut[b + 1] / sigma) - Phi(cut[b] / sigma))
           / (cut[b + 1] - cut[b]);
  }
}
model {
  counts ~ poisson(density_ * width * p);
  sigma ~ lognormal(0, 1);
  density_ ~ gamma(2, 0.1);
}
