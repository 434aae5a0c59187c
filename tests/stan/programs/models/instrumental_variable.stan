// treatment and outcome share a confounder; errors are correlated
data {
  int<lower=1> N;
  vector[N] z;
  vector[N] t;
  vector[N] y;
}
parameters {
  real a_t;
  real b_z;
  real a_y;
  real b_t;
  vector<lower=0>[2] s;
  corr_matrix[2] R;
}
model {
  array[N] vector[2] both;
  array[N] vector[2] mu;
  for (n in 1 : N) {
    both[n] = [t[n], y[n]]';
    mu[n, 1] = a_t + b_z * z[n];
    mu[n, 2] = a_y + b_t * t[n];
  }
  R ~ lkj_corr(2);
  s ~ exponential(1);
  {a_t, b_z, a_y, b_t} ~ normal(0, 1);
  both ~ multi_normal(mu, quad_form_diag(R, s));
}
