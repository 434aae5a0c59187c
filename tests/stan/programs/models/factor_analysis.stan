// lower-triangular loadings with a positive diagonal
data {
  int<lower=1> N;
  int<lower=1> P;
  int<lower=1> D;
  array[N] vector[P] y;
}
transformed data {
  int M = D * (P - D) + (D * (D - 1)) %/% 2;
}
parameters {
  vector[M] lower_;
  vector<lower=0>[D] diagonal_;
  vector<lower=0>[P] psi;
  vector[P] mu;
}
transformed parameters {
  matrix[P, D] Lambda = rep_matrix(0, P, D);
  {
    int index = 0;
    for (d in 1 : D) {
      Lambda[d, d] = diagonal_[d];
      for (p in (d + 1) : P) {
        index += 1;
        Lambda[p, d] = lower_[index];
      }
    }
  }
  cov_matrix[P] Q = tcrossprod(Lambda) + diag_matrix(psi);
}
model {
  lower_ ~ normal(0, 1);
  diagonal_ ~ normal(0, 1);
  psi ~ inv_gamma(3, 1);
  mu ~ normal(0, 3);
  y ~ multi_normal(mu, Q);
}
