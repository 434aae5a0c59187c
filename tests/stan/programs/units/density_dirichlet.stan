data {
  int<lower=2> K;
  simplex[K] p;
  array[3] simplex[K] ps;
}
parameters {
  vector<lower=0>[K] alpha;
  array[2] simplex[K] theta;
}
model {
  p ~ dirichlet(alpha);
  ps ~ dirichlet(alpha);
  theta ~ dirichlet(rep_vector(1.5, K));
  theta[1] ~ dirichlet([1, 2, 3]');
  target += dirichlet_lpdf(theta | alpha) + dirichlet_lpdf(p | 2 * p);
  target += dirichlet_lupdf(theta[2] | alpha .* p);
  alpha ~ exponential(1);
}
