data {
  int<lower=1> K;
}
parameters {
  tuple(real, vector[K]) a;
  tuple(real<lower=0>, array[2] simplex[K], tuple(real<upper=1>, ordered[2])) b;
  array[2] tuple(real<lower=-1, upper=1>, corr_matrix[2]) c;
}
transformed parameters {
  tuple(vector[K], real) t = (a.2 * b.1, b.3.1 + a.1);
}
model {
  a.1 ~ normal(0, 1);
  a.2 ~ normal(a.1, b.1);
  b.1 ~ lognormal(0, 1);
  b.2[1] ~ dirichlet(rep_vector(2, K));
  target += log(b.2[2, 1]) - square(b.3.1) - dot_self(b.3.2);
  for (i in 1 : 2) {
    target += -c[i].1 ^ 2;
    c[i].2 ~ lkj_corr(2);
  }
  t.1 ~ normal(0, 3);
}
