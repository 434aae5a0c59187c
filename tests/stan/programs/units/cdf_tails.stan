// log probabilities far out, where the naive formulas give log(0)
data {
  vector[6] far;
}
parameters {
  real mu;
  real<lower=0> sigma;
}
model {
  for (i in 1 : 6) {
    target += normal_lcdf(-far[i] | mu, 1) + normal_lccdf(0.1 * far[i] | mu, 1);
    target += normal_lcdf(far[i] | mu, sigma) + normal_lccdf(-far[i] | mu, sigma);
  }
  target += std_normal_lcdf(mu - 30) + std_normal_lccdf(mu + 3);
  target += logistic_lcdf(-150 | mu, sigma) + logistic_lccdf(150 | mu, sigma);
  target += exponential_lccdf(500 | sigma) + weibull_lccdf(20 | 1.5, sigma);
  target += gumbel_lcdf(-4 | mu, 1) + double_exponential_lccdf(300 | mu, 2);
  target += lognormal_lcdf(1e-6 | mu, 1) + cauchy_lccdf(1e3 | mu, sigma);
  mu ~ std_normal();
  sigma ~ lognormal(0, 0.3);
}
