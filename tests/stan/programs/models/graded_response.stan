// ordered categories; every item has its own thresholds
data {
  int<lower=1> I;
  int<lower=1> J;
  int<lower=2> C;
  array[I, J] int<lower=1, upper=C> y;
}
parameters {
  vector[J] theta;
  vector<lower=0>[I] a;
  array[I] ordered[C - 1] kappa;
  real mu_kappa;
  real<lower=0> sigma_kappa;
}
model {
  a ~ cauchy(0, 5);
  theta ~ normal(0, 1);
  for (i in 1 : I) {
    for (k in 1 : (C - 1)) {
      kappa[i, k] ~ normal(mu_kappa, sigma_kappa);
    }
  }
  mu_kappa ~ normal(0, 5);
  sigma_kappa ~ cauchy(0, 5);
  for (i in 1 : I) {
    for (j in 1 : J) {
      y[i, j] ~ ordered_logistic(theta[j] * a[i], kappa[i]);
    }
  }
}
