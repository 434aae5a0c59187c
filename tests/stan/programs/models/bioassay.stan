// deaths at log doses, logit link; the median lethal dose is generated
data {
  int<lower=0> J;
  vector[J] x;
  array[J] int<lower=0> n;
  array[J] int<lower=0> y;
}
parameters {
  real alpha;
  real<lower=0> beta;
}
transformed parameters {
  vector[J] theta;
  for (j in 1 : J)
    theta[j] = inv_logit(alpha + beta * x[j]);
}
model {
  y ~ binomial(n, theta);
  alpha ~ normal(0, 5);
  beta ~ normal(10, 10);
}
generated quantities {
  real ld50 = -alpha / beta;
}
