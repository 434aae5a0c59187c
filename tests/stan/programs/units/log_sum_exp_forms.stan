// marginalised mixtures in all the ways people write them
data {
  int<lower=0> N;
  vector[N] y;
  array[N] int<lower=0> k;
}
parameters {
  real<lower=0, upper=1> theta;
  ordered[2] mu;
  real<lower=0> s;
  simplex[3] w;
}
model {
  for (n in 1 : N) {
    target += log_sum_exp(log(theta) + normal_lpdf(y[n] | mu[1], s),
                          log1m(theta) + normal_lpdf(y[n] | mu[2], s));
    target += log_mix(theta, normal_lpdf(y[n] | mu[1], s), cauchy_lpdf(y[n] | mu[2], s));
    target += log_mix(w, [normal_lpdf(y[n] | 0, s), normal_lpdf(y[n] | mu[1], 1), -3]');
    vector[3] lps = log(w);
    for (j in 1 : 3)
      lps[j] += student_t_lpdf(y[n] | j, mu[1], s);
    target += log_sum_exp(lps);
    if (k[n] == 0)
      target += log_sum_exp(bernoulli_lpmf(1 | theta),
                            bernoulli_lpmf(0 | theta) + poisson_lpmf(0 | s));
    else
      target += bernoulli_lpmf(0 | theta) + poisson_lpmf(k[n] | s);
    target += log_sum_exp({y[n] * mu[1], y[n] * mu[2], 0});
  }
  target += log_mix(w, {[-1, -2, -3]', [s, theta, mu[1]]'});
  mu ~ normal(0, 2);
  s ~ exponential(1);
}
