data {
  int<lower=0> C;
  int<lower=0> N;
  array[N] real y;
}
parameters {
  array[C] real mu_cl;
  array[C - 1] real<lower=0, upper=1> v;
  real<lower=0> sigma_cl;
  real<lower=0.1> alpha;
}
transformed parameters {
  simplex[C] pi;
  pi[1] = v[1];
  for (j in 2 : (C - 1)) 
    pi[j] = v[j] * (1 - v[j - 1]) * pi[j - 1] / v[j - 1];
  pi[C] = 1 - sum(pi[1 : (C - 1)]);
}
model {
  array[C] real ps;
  sigma_cl ~ inv_gamma(2, 1);
  mu_cl ~ normal(0, 5);
  alpha ~ gamma(6, 1);
  v ~ beta(1, alpha);
  for (i in 1 : N) {
    for (c in 1 : C) 
      ps[c] = log(pi[c]) + normal_lpdf(y[i] | mu_cl[c], sigma_cl);
    target += log_sum_exp(ps);
  }
}

