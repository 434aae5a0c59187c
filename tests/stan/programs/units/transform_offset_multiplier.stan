data {
  int J;
  vector<lower=0>[J] scale;
}
parameters {
  real mu;
  real<lower=0> tau;
  real<offset=3> a;
  real<multiplier=0.2> b;
  real<offset=mu, multiplier=tau> c;
  vector<offset=mu, multiplier=tau>[J] theta;
  vector<multiplier=scale>[J] d;
  array[2] row_vector<offset=mu, multiplier=2>[J] e;
  matrix<multiplier=tau>[2, J] F;
}
model {
  mu ~ normal(0, 5);
  tau ~ cauchy(0, 2);
  a ~ normal(3, 1);
  b ~ normal(0, 0.2);
  {c} ~ normal(mu, tau);
  theta ~ normal(mu, tau);
  d ~ normal(0, scale);
  for (i in 1 : 2) {
    e[i] ~ normal(mu, i);
    F[i] ~ normal(0, tau);
  }
}
