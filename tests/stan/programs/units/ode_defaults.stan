// default tolerances: agreement is as good as they are
functions {
  vector cool(real t, vector y, real k) {
    return -k * (y - 0.5);
  }
  array[] real cool_old(real t, array[] real y, array[] real k, array[] real x_r, array[] int x_i) {
    return {-k[1] * (y[1] - 0.5)};
  }
}
data {
  int<lower=1> T;
  array[T] real ts;
}
transformed data {
  array[0] real no_r;
  array[0] int no_i;
}
parameters {
  real<lower=0> k;
  vector[1] y0;
  real<lower=-1, upper=0> t0;
}
model {
  for (state in ode_rk45(cool, y0, t0, ts, k))
    state ~ normal(1, 1);
  for (state in ode_bdf(cool, y0, t0, ts, k))
    state ~ normal(1, 1);
  for (state in ode_adams(cool, y0, t0, ts, k))
    state ~ normal(1, 1);
  for (state in ode_ckrk(cool, y0, t0, ts, k))
    state ~ normal(1, 1);
  to_array_1d(integrate_ode_rk45(cool_old, to_array_1d(y0), t0, ts, {k}, no_r, no_i)) ~ normal(0, 1);
  to_array_1d(integrate_ode_bdf(cool_old, {y0[1]}, -1, ts, {k}, no_r, no_i)) ~ normal(0, 1);
  y0 ~ std_normal();
  k ~ exponential(1);
}
