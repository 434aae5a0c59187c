functions {
  vector residual(real t, vector y, vector yp, real a, real b) {
    vector[2] res;
    res[1] = yp[1] + a * y[1] - y[2];
    res[2] = y[1] + b * y[2] - 1;
    return res;
  }
}
data {
  int<lower=1> T;
  array[T] real ts;
}
parameters {
  real<lower=0> a;
  real<lower=0.5> b;
}
transformed parameters {
  vector[2] y0 = [0.5, 0.5 / b]';
  vector[2] yp0 = [0.5 / b - 0.5 * a, (0.5 * a - 0.5 / b) / b]';
  array[T] vector[2] y = dae_tol(residual, y0, yp0, 0.0, ts, 1e-10, 1e-10, 100000, a, b);
}
model {
  for (t in 1 : T)
    y[t] ~ normal(0.4, 0.3);
  a ~ exponential(1);
  b ~ lognormal(0, 1);
}
