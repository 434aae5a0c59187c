// the same kind of data summarised: numbers released and recaptured by occasion
data {
  int<lower=2> T;
  array[T - 1, T] int<lower=0> marr;
}
parameters {
  vector<lower=0, upper=1>[T - 1] phi;
  vector<lower=0, upper=1>[T - 1] p;
}
transformed parameters {
  vector<lower=0, upper=1>[T - 1] q = 1 - p;
  array[T - 1] simplex[T] pr;
  for (t in 1 : (T - 1)) {
    pr[t, t] = phi[t] * p[t];
    for (j in (t + 1) : (T - 1))
      pr[t, j] = prod(phi[t : j]) * prod(q[t : (j - 1)]) * p[j];
    for (j in 1 : (t - 1))
      pr[t, j] = 0;
    pr[t, T] = 1 - sum(pr[t, 1 : (T - 1)]);
  }
}
model {
  for (t in 1 : (T - 1))
    marr[t] ~ multinomial(pr[t]);
}
