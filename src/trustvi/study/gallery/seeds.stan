// Germination of seeds by variety and root extract, with an effect of each dish.
data {
  int<lower=1> dishes;
  array[dishes] int<lower=0> seeds;
  array[dishes] int<lower=0> germinated;
  vector<lower=0, upper=1>[dishes] variety;
  vector<lower=0, upper=1>[dishes] extract;
}
transformed data {
  vector[dishes] both = variety .* extract;
}
parameters {
  real alpha;
  real by_variety;
  real by_extract;
  real by_both;
  real<lower=0> sigma;
  vector[dishes] b;
}
model {
  alpha ~ normal(0, 5);
  by_variety ~ normal(0, 5);
  by_extract ~ normal(0, 5);
  by_both ~ normal(0, 5);
  sigma ~ cauchy(0, 1);
  b ~ normal(0, sigma);
  germinated ~ binomial_logit(seeds, alpha + by_variety * variety + by_extract * extract
                                     + by_both * both + b);
}
