// bounds that are parameters, one after the other
data {
  int<lower=1> K;
}
parameters {
  real a;
  real<lower=a> b;
  real<lower=a, upper=b> c;
  vector<lower=a, upper=b>[K] v;
  vector<lower=v>[K] w;
  array[2] vector<upper={w, 2 * w}>[K] u;
  matrix<lower=a>[2, K] M;
  real<offset=a, multiplier=b - a> z;
  vector<offset=v, multiplier=w>[K] q;
}
model {
  a ~ normal(0, 1);
  b ~ normal(2, 1);
  c ~ normal(1, 1);
  v ~ normal(c, 1);
  w ~ normal(3, 1);
  for (i in 1 : 2) {
    u[i] ~ normal(-i, 1);
  }
  to_vector(M) ~ normal(1, 1);
  z ~ normal(a, b - a);
  q ~ normal(v, 2);
}
