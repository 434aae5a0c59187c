// hierarchical logistic regression, one shard for each group
functions {
  vector group_density(vector phi, vector theta, data array[] real x, data array[] int y) {
    int N = y[1];
    real lp = normal_lpdf(theta | phi[1 : 2], phi[3 : 4]);
    array[N] int successes = y[2 : (N + 1)];
    lp += bernoulli_logit_lpmf(successes | theta[1] + theta[2] * to_vector(x[1 : N]));
    return [lp]';
  }
}
data {
  int<lower=1> J;
  int<lower=1> N;
  array[J, N + 1] int y;
  array[J, N] real x;
}
parameters {
  vector[2] mu;
  vector<lower=0>[2] tau;
  array[J] vector[2] theta;
}
model {
  mu ~ normal(0, 2);
  tau ~ exponential(1);
  target += sum(map_rect(group_density, append_row(mu, tau), theta, x, y));
}
