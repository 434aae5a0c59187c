// proportions with a logit link for the mean and log link for the precision
data {
  int<lower=1> N;
  vector[N] x;
  vector<lower=0, upper=1>[N] y;
}
parameters {
  vector[2] b;
  vector[2] g;
}
model {
  vector[N] mu = inv_logit(b[1] + b[2] * x);
  vector[N] phi = exp(g[1] + g[2] * x);
  b ~ normal(0, 2);
  g ~ normal(1, 1);
  y ~ beta(mu .* phi, (1 - mu) .* phi);
}
