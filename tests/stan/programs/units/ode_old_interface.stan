functions {
  array[] real decay(real t, array[] real y, array[] real theta, data array[] real x_r,
                     data array[] int x_i) {
    array[2] real dy;
    dy[1] = -theta[1] * y[1];
    dy[2] = theta[1] * y[1] - theta[2] * y[2] + x_r[1] * x_i[1];
    return dy;
  }
}
data {
  int<lower=1> T;
  array[T] real<lower=0> ts;
  array[T, 2] real y;
}
transformed data {
  array[1] real x_r = {0.1};
  array[1] int x_i = {2};
}
parameters {
  array[2] real<lower=0> theta;
  array[2] real<lower=0> y0;
  real<lower=0> s;
}
transformed parameters {
  array[T, 2] real a = integrate_ode_rk45(decay, y0, 0, ts, theta, x_r, x_i, 1e-10, 1e-10, 100000);
  array[T, 2] real b = integrate_ode_bdf(decay, {1.0, 0.5}, 0.0, ts, theta, x_r, x_i, 1e-10, 1e-10, 100000);
  array[T, 2] real c = integrate_ode_adams(decay, y0, 0.0, ts, theta, x_r, x_i, 1e-10, 1e-10, 100000);
}
model {
  for (t in 1 : T) {
    y[t] ~ normal(a[t], s);
    y[t] ~ normal(b[t], s);
    y[t] ~ normal(c[t], s);
  }
  theta ~ lognormal(0, 1);
  y0 ~ lognormal(0, 1);
  s ~ exponential(1);
}
