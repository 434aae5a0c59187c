data {
  int<lower=1> T;
  vector[T] y;
}
parameters {
  real<lower=-1, upper=1> phi;
  real<lower=0> s;
  real m0;
}
model {
  real m = m0;
  real peak = m0;
  real running = 1;
  real count = 0;
  for (t in 1 : T) {
    y[t] ~ normal(m, s);
    m = phi * m + (1 - phi) * y[t];
    peak = fmax(peak, m);
    running *= 1 + 0.1 * inv_logit(m);
    count += 1;
    target += -0.01 * square(count * m);
  }
  target += -square(peak) - log(running) + 0.1 * count * m0;
  m0 ~ normal(0, 1);
  s ~ exponential(1);
}
