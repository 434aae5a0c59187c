// matrices carried through a loop: a filter by hand
data {
  int<lower=1> T;
  array[T] vector[2] y;
}
parameters {
  real<lower=0> q;
  real<lower=0> r;
  real<lower=-1, upper=1> rho;
}
model {
  matrix[2, 2] F = [[1, 1], [0, rho]];
  matrix[2, 2] P = identity_matrix(2);
  vector[2] m = rep_vector(0, 2);
  for (t in 1 : T) {
    matrix[2, 2] S;
    matrix[2, 2] K;
    m = F * m;
    P = quad_form_sym(P, F') + diag_matrix(rep_vector(q, 2));
    S = P + diag_matrix(rep_vector(r, 2));
    y[t] ~ multi_normal(m, 0.5 * (S + S'));
    K = P / S;
    m += K * (y[t] - m);
    P = P - K * P;
    P = 0.5 * (P + P');
  }
  q ~ exponential(1);
  r ~ exponential(1);
}
