// binary items, two latent classes, answers independent within a class
data {
  int<lower=1> N;
  int<lower=1> J;
  int<lower=2> C;
  array[N, J] int<lower=0, upper=1> y;
}
parameters {
  simplex[C] nu;
  array[C] vector[J] logit_p;
}
model {
  nu ~ dirichlet(rep_vector(2, C));
  for (c in 1 : C) {
    logit_p[c] ~ normal(c - 1.5, 1.5);
  }
  for (n in 1 : N) {
    vector[C] ps = log(nu);
    for (c in 1 : C) {
      for (j in 1 : J) {
        ps[c] = ps[c] + bernoulli_logit_lpmf(y[n, j] | logit_p[c, j]);
      }
    }
    target += log_sum_exp(ps);
  }
}
