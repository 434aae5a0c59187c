// a recurrence whose steps take different branches, by data and by parameter
data {
  int<lower=1> T;
  vector[T] y;
  array[T] int<lower=0, upper=1> observed;
  array[T] int<lower=1> period;
}
parameters {
  real a;
  real b;
  real<lower=0> s;
  vector[3] season;
}
model {
  real level = 0;
  real trend = b;
  real regime = 0;
  for (t in 1 : T) {
    real prediction = level + trend + season[period[t]];
    if (observed[t]) {
      real error = y[t] - prediction;
      target += normal_lpdf(error | 0, s);
      level += trend + inv_logit(a) * error;
      trend = 0.9 * trend + 0.1 * error;
    } else {
      level += trend;
    }
    if (level > 0.5) {
      regime = 0.5 * regime + level;
    } else {
      regime = 0.5 * regime;
    }
    if (t == 4)
      level = 0;
  }
  target += -square(regime);
  season ~ normal(0, 1);
  {a, b} ~ normal(0, 1);
  s ~ exponential(1);
}
