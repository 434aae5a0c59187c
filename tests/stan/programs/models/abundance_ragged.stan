functions {
  vector lp_rec(array[] int y, real lambda, real p, int K) {
    int ymax = max(y);
    vector[K - ymax + 1] lp;
    for (k in 1 : (K - ymax + 1)) 
      lp[k] = poisson_lpmf(ymax + k - 1 | lambda)
              + binomial_lpmf(y | ymax + k - 1, p);
    return lp;
  }
}
data {
  int R;
  array[R] int nv;
  int T;
  array[R, T] int y;
  array[R] int K;
  vector[R] x;
}
parameters {
  real a;
  real b;
  vector[R] lp_;
  real<lower=0> s;
}
transformed parameters {
  vector[R] log_lambda = a + b * x;
  vector<lower=0, upper=1>[R] p = inv_logit(lp_);
}
model {
  a ~ normal(0, 2);
  b ~ normal(0, 2);
  s ~ normal(0, 1);
  lp_ ~ normal(0, s);
  for (i in 1 : R) 
    target += log_sum_exp(lp_rec(y[i, 1 : nv[i]], exp(log_lambda[i]), p[i],
                                 K[i]));
}
generated quantities {
  array[R] int N;
  for (i in 1 : R) {
    vector[K[i] - max(y[i, 1 : nv[i]]) + 1] q = softmax(lp_rec(y[i, 1 : nv[i]],
                                                               exp(log_lambda[i]),
                                                               p[i], K[i]));
    N[i] = max(y[i,  : nv[i]]) + categorical_rng(q) - 1;
  }
}

