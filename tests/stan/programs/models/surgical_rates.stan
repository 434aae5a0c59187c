// failure rates of hospitals: beta-binomial in mean and precision
data {
  int<lower=1> J;
  array[J] int<lower=0> n;
  array[J] int<lower=0> r;
}
parameters {
  real<lower=0, upper=1> phi;
  real<lower=1> kappa;
  vector<lower=0, upper=1>[J] theta;
}
model {
  kappa ~ pareto(1, 1.5);
  theta ~ beta(phi * kappa, (1 - phi) * kappa);
  r ~ binomial(n, theta);
}
generated quantities {
  array[J] int rank_of;
  for (j in 1 : J) {
    rank_of[j] = rank(theta, j) + 1;
  }
}
