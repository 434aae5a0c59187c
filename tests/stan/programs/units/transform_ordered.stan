data {
  int<lower=1> K;
}
parameters {
  ordered[K] c;
  positive_ordered[K] p;
  array[2, 3] ordered[2] cs;
  array[2] positive_ordered[3] ps;
  ordered[1] single;
  positive_ordered[1] positive_single;
}
model {
  c ~ normal(0, 2);
  p ~ gamma(2, 1);
  for (i in 1 : 2) {
    ps[i] ~ lognormal(c[i], 1);
    for (j in 1 : 3) {
      cs[i, j] ~ normal(i - j, 1.5);
    }
  }
  single ~ normal(1, 1);
  positive_single ~ exponential(1);
}
