data {
  int<lower=0> N;
  vector[N] y;
  array[N] int<lower=1, upper=3> kind;
  int<lower=0, upper=1> robust;
}
parameters {
  vector[3] mu;
  real<lower=0> s;
}
model {
  for (n in 1 : N) {
    real centre;
    if (kind[n] == 1) {
      centre = mu[1];
    } else if (kind[n] == 2) {
      centre = mu[2] * y[n];
      target += -0.5;
    } else {
      centre = mu[3] + mu[1];
    }
    if (robust)
      y[n] ~ student_t(4, centre, s);
    else
      y[n] ~ normal(centre, s);
    if (y[n] > 0 && kind[n] != 3 || n == 2)
      target += -0.1 * square(centre);
    if (!robust)
      target += log(-1 * s);
  }
  if (N > 3) {
    mu ~ normal(0, 1);
  } else if (N > 2)
    mu ~ normal(0, 2);
  else
    mu ~ cauchy(0, 1);
  s ~ exponential(1);
}
