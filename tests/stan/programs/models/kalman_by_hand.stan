// local level model with the state integrated out, missing values skipped
data {
  int<lower=1> T;
  vector[T] y;
  array[T] int<lower=0, upper=1> observed;
}
parameters {
  real<lower=0> q;
  real<lower=0> r;
  real m0;
}
model {
  real m = m0;
  real P = 10;
  for (t in 1 : T) {
    P += q;
    if (observed[t]) {
      real S = P + r;
      real K = P / S;
      target += normal_lpdf(y[t] | m, sqrt(S));
      m += K * (y[t] - m);
      P *= 1 - K;
    }
  }
  {q, r} ~ exponential(1);
  m0 ~ normal(0, 3);
}
