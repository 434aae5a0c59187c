data {
  int M;
  int T;
  int S;
  array[M, T] int y;
  array[M] int f;
  array[M] int l;
  matrix[M, T - 1] x;
}
parameters {
  vector[S - 1] lphi;
  vector[S - 1] lp_;
  array[S - 1] simplex[S - 1] psi;
  real b;
  simplex[S - 1] pi0;
  real<lower=0, upper=1> delta;
}
model {
  for (i in 1 : M) {
    row_vector[S] alpha;
    matrix[S, S] G;
    matrix[S, S + 1] E;
    E = rep_matrix(0, S, S + 1);
    for (k in 1 : (S - 1)) {
      E[k, k] = inv_logit(lp_[k]) * delta;
      E[k, S] = inv_logit(lp_[k]) * (1 - delta);
      E[k, S + 1] = 1 - inv_logit(lp_[k]);
    }
    E[S, S + 1] = 1;
    alpha = append_col(pi0', 0) .* E[ : , y[i, f[i]]]';
    for (t in (f[i] + 1) : l[i]) {
      G[S] = append_col(rep_row_vector(0, S - 1), 1);
      for (k in 1 : (S - 1)) {
        real ph = inv_logit(lphi[k] + b * x[i, t - 1]);
        G[k, 1 : (S - 1)] = ph * psi[k]';
        G[k, S] = 1 - ph;
      }
      alpha = (alpha * G) .* E[ : , y[i, t]]';
    }
    target += log(sum(alpha));
  }
  lphi ~ normal(0, 1);
  lp_ ~ normal(0, 1);
  b ~ normal(0, 1);
}

