data {
  int<lower=0> N;
  vector[N] y;
}
parameters {
  real<lower=0> nu;
  real mu;
  real<lower=0> sigma;
  vector[N] theta;
  vector<lower=0.5>[N] nus;
}
model {
  nu ~ gamma(2, 0.1);
  mu ~ student_t(3, 0, 2.5);
  sigma ~ student_t(4, 0, 1);
  y ~ student_t(nu, mu, sigma);
  theta ~ student_t(nus, y, sigma);
  target += student_t_lpdf(y | 7, theta, 2);
  target += student_t_lpdf(mu | nus, 1, 2);
  target += student_t_lpdf(200.0 | nu, mu, sigma);
  target += student_t_lpdf(y | 1e6, mu, sigma);
  target += student_t_lcdf(mu | 4, 0, 2) + student_t_lccdf(theta | nu, 0, sigma);
  target += log(student_t_cdf(mu | nu, 0.1, sigma));
}
