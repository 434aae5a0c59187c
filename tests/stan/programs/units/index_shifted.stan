// lagged and leading reads of data and of whole vectors: no recurrence
data {
  int<lower=3> T;
  vector[T] y;
}
parameters {
  vector[T] h;
  real phi;
  real<lower=0> s;
}
transformed parameters {
  vector[T] m;
  vector[T] d;
  m[1] = h[1];
  for (t in 2 : T)
    m[t] = phi * h[t - 1] + h[t];
  for (t in 1 : T)
    d[t] = t < T ? m[t + 1] - m[t] : 0;
  for (t in 2 : (T - 1))
    d[t] = d[t] + y[t - 1] - y[t + 1];
}
model {
  for (t in 3 : T)
    y[t] ~ normal(m[t] + phi * y[t - 1] - 0.2 * y[t - 2], s);
  for (t in 1 : T %/% 2) {
    target += -square(h[2 * t] - h[2 * t - 1]);
    target += -0.1 * d[T + 1 - t];
  }
  h ~ normal(0, 1);
  phi ~ normal(0, 0.5);
  s ~ exponential(1);
}
