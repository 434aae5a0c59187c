// Student-t errors, degrees of freedom unknown
data {
  int<lower=1> N;
  vector[N] x;
  vector[N] y;
}
parameters {
  real alpha;
  real beta;
  real<lower=0> sigma;
  real<lower=1> nu;
}
model {
  alpha ~ normal(0, 5);
  beta ~ normal(0, 5);
  sigma ~ cauchy(0, 2);
  nu - 1 ~ gamma(2, 0.1);
  y ~ student_t(nu, alpha + beta * x, sigma);
}
