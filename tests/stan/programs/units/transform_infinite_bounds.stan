// an infinite bound is no bound, element by element
data {
  vector[4] low;
  vector[4] high;
}
transformed data {
  vector[4] lower_ = low;
  vector[4] upper_ = high;
  lower_[1] = negative_infinity();
  lower_[3] = negative_infinity();
  upper_[2] = positive_infinity();
  upper_[3] = positive_infinity();
}
parameters {
  vector<lower=lower_, upper=upper_>[4] x;
  real<lower=negative_infinity(), upper=0> y;
  real<lower=negative_infinity()> z;
}
model {
  x ~ normal(1, 2);
  {y, z} ~ normal(0, 1);
}
