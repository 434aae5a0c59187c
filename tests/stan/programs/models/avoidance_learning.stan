// a logistic curve whose predictors are running counts of earlier outcomes
data {
  int<lower=0> I;
  int<lower=0> T;
  array[I, T] int<lower=0, upper=1> y;
}
transformed data {
  matrix[I, T] avoided;
  matrix[I, T] shocked;
  for (j in 1 : I) {
    avoided[j, 1] = 0;
    shocked[j, 1] = 0;
    for (t in 2 : T) {
      avoided[j, t] = avoided[j, t - 1] + 1 - y[j, t - 1];
      shocked[j, t] = shocked[j, t - 1] + y[j, t - 1];
    }
  }
}
parameters {
  real<upper=-0.00001> alpha;
  real<upper=-0.00001> beta;
}
transformed parameters {
  real A = exp(alpha);
  real B = exp(beta);
}
model {
  for (j in 1 : I) {
    for (t in 2 : T) {
      y[j, t] ~ bernoulli(A ^ avoided[j, t] * B ^ shocked[j, t]);
    }
  }
}
