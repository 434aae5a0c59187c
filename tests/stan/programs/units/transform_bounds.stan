data {
  int N;
  vector[N] lows;
  vector[N] highs;
}
parameters {
  real free;
  real<lower=-2.5> above;
  real<upper=4> below;
  real<lower=-1, upper=3> between;
  vector<lower=lows>[N] v;
  vector<lower=lows, upper=highs>[N] w;
  row_vector<upper=highs'>[N] r;
  array[2, N] real<lower=0> a;
  matrix<lower=0, upper=1>[2, 3] M;
  array[2] matrix<lower=1>[2, 2] Ms;
}
model {
  free ~ normal(0, 1);
  {above, below, between} ~ normal(0, 3);
  v ~ normal(above, 1);
  w ~ normal(v, 2);
  r ~ normal(w', 2);
  for (i in 1 : 2) {
    a[i] ~ normal(i, free ^ 2 + 1);
    to_vector(Ms[i]) ~ gamma(2, 1);
  }
  to_vector(M) ~ beta(2, 2);
}
