data {
  int<lower=0> N;
  vector<lower=0>[N] rt;
}
parameters {
  real<lower=0> a;
  real<lower=0, upper=min(rt)> tau;
  real<lower=0, upper=1> b;
  real delta;
  vector[N] deltas;
}
model {
  rt ~ wiener(a, tau, b, delta);
  for (n in 1 : N) {
    rt[n] ~ wiener(a, 0.1, 0.5, -deltas[n]);
  }
  target += wiener_lpdf(rt | a, tau, 0.4, deltas);
  a ~ gamma(4, 2);
  delta ~ normal(0, 2);
  deltas ~ normal(delta, 1);
}
