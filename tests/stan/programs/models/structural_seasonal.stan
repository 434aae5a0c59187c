// local linear trend, seasonal dummies that nearly sum to zero, an intervention
data {
  int<lower=1> T;
  int<lower=2> S;
  vector[T] y;
  vector[T] w;
}
parameters {
  vector[T] level;
  vector[T] slope;
  vector[T] season;
  real lambda;
  positive_ordered[4] sigma;
}
model {
  slope[2 : T] ~ normal(slope[1 : (T - 1)], sigma[1]);
  level[2 : T] ~ normal(level[1 : (T - 1)] + slope[1 : (T - 1)], sigma[3]);
  for (t in S : T) {
    season[t] ~ normal(-sum(season[(t - S + 1) : (t - 1)]), sigma[2]);
  }
  season[1 : (S - 1)] ~ normal(0, 2);
  y ~ normal(level + season + lambda * w, sigma[4]);
  lambda ~ normal(0, 2);
  {level[1], slope[1]} ~ normal(0, 3);
  sigma ~ student_t(4, 0, 1);
}
