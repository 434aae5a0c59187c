// Earnings by height and sex, both earnings and height on the logarithmic scale.
data {
  int<lower=1> people;
  vector<lower=0>[people] earnings;
  vector<lower=0>[people] height;
  vector<lower=0, upper=1>[people] male;
}
transformed data {
  vector[people] log_earnings = log(earnings);
  vector[people] log_height = log(height);
}
parameters {
  vector[3] beta;
  real<lower=0> sigma;
}
model {
  sigma ~ cauchy(0, 2.5);
  log_earnings ~ normal(beta[1] + beta[2] * log_height + beta[3] * male, sigma);
}
