data {
  int<lower=1> S;
  array[S] int<lower=0> nv;
  array[S] int start;
  int NV;
  array[NV] int<lower=0, upper=1> y;
  matrix[NV, 2] W;
  array[S] row_vector[3] X;
}
transformed data {
  array[S] int any_seen;
  for (s in 1 : S) {
    any_seen[s] = 0;
    if (nv[s] > 0) 
      any_seen[s] = sum(y[start[s] : (start[s] + nv[s] - 1)]) > 0;
  }
}
parameters {
  vector[3] beta;
  vector[2] alpha;
  real<lower=0> sd_s;
  array[S] real eps;
}
model {
  vector[S] logit_psi;
  vector[NV] logit_p = W * alpha;
  beta ~ cauchy(0, 2.5);
  alpha ~ student_t(3, 0, 1);
  eps ~ normal(0, 1);
  sd_s ~ exponential(1);
  for (s in 1 : S) 
    logit_psi[s] = X[s] * beta + sd_s * eps[s];
  for (s in 1 : S) {
    real lp_occ = log_inv_logit(logit_psi[s]);
    if (nv[s] > 0) {
      lp_occ += bernoulli_logit_lpmf(y[start[s] : (start[s] + nv[s] - 1)] | logit_p[start[s] : (start[s]
                                                                    + nv[s]
                                                                    - 1)]);
    }
    if (any_seen[s]) 
      target += lp_occ;
    else 
      target += log_sum_exp(lp_occ, log1m_inv_logit(logit_psi[s]));
  }
}
generated quantities {
  array[S] int z;
  int n_occ;
  for (s in 1 : S) {
    if (any_seen[s]) 
      z[s] = 1;
    else {
      real lp = log_inv_logit(X[s] * beta);
      for (v in 1 : nv[s]) 
        lp += log1m_inv_logit(dot_product(W[start[s] + v - 1], alpha));
      z[s] = bernoulli_rng(exp(lp
                               - log_sum_exp(lp,
                                             log1m_inv_logit(X[s] * beta))));
    }
  }
  n_occ = sum(z);
}

