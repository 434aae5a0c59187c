data {
  int<lower=2> K;
  array[K] int<lower=0> y;
  array[2, K] int<lower=0> z;
}
parameters {
  simplex[K] theta;
  vector[K] gamma;
  vector<lower=0>[K] alpha;
  array[2] simplex[K] thetas;
}
model {
  y ~ multinomial(theta);
  y ~ multinomial_logit(gamma);
  y ~ dirichlet_multinomial(alpha);
  for (i in 1 : 2) {
    z[i] ~ multinomial(thetas[i]);
    target += multinomial_lpmf(z[i] | theta);
  }
  target += multinomial_logit_lpmf(y | gamma) + dirichlet_multinomial_lpmf(z[1] | alpha);
  target += multinomial_lpmf(y | [0.1, 0.2, 0.3, 0.4]');
  theta ~ dirichlet(alpha);
  gamma ~ normal(0, 2);
  alpha ~ gamma(2, 1);
}
