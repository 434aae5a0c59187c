// two-way layout with interaction; effects sum to zero by construction
data {
  int<lower=1> N;
  int<lower=2> A;
  int<lower=2> B;
  array[N] int<lower=1, upper=A> a;
  array[N] int<lower=1, upper=B> b;
  vector[N] y;
}
parameters {
  real mu;
  vector[A - 1] alpha_free;
  vector[B - 1] beta_free;
  matrix[A - 1, B - 1] gamma_free;
  vector<lower=0>[4] s;
}
transformed parameters {
  vector[A] alpha = append_row(alpha_free, -sum(alpha_free));
  vector[B] beta = append_row(beta_free, -sum(beta_free));
  matrix[A, B] gamma;
  gamma[1 : (A - 1), 1 : (B - 1)] = gamma_free;
  for (i in 1 : (A - 1)) {
    gamma[i, B] = -sum(gamma_free[i]);
  }
  for (j in 1 : B) {
    gamma[A, j] = -sum(gamma[1 : (A - 1), j]);
  }
}
model {
  alpha ~ normal(0, s[1]);
  beta ~ normal(0, s[2]);
  to_vector(gamma) ~ normal(0, s[3]);
  s ~ cauchy(0, 1);
  for (n in 1 : N) {
    y[n] ~ normal(mu + alpha[a[n]] + beta[b[n]] + gamma[a[n], b[n]], s[4]);
  }
}
