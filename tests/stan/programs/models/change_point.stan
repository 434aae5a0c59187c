// coal-mine style change of a Poisson rate: the year summed out
data {
  real<lower=0> r_e;
  real<lower=0> r_l;
  int<lower=1> T;
  array[T] int<lower=0> D;
}
transformed data {
  real log_unif = -log(T);
}
parameters {
  real<lower=0> e_;
  real<lower=0> l_;
}
transformed parameters {
  vector[T] lp = rep_vector(log_unif, T);
  for (s in 1 : T)
    for (t in 1 : T)
      lp[s] = lp[s] + poisson_lpmf(D[t] | t < s ? e_ : l_);
}
model {
  e_ ~ exponential(r_e);
  l_ ~ exponential(r_l);
  target += log_sum_exp(lp);
}
