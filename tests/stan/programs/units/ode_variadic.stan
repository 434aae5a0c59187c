functions {
  vector oscillator(real t, vector y, real k, vector c, data array[] real force, int n) {
    vector[2] dy;
    dy[1] = y[2];
    dy[2] = -k * y[1] - c[1] * y[2] + force[n] * sin(t);
    return dy;
  }
  vector logistic_growth(real t, vector y, real r, real K) {
    return r * y .* (1 - y / K);
  }
}
data {
  int<lower=1> T;
  array[T] real ts;
  array[2] real force;
}
parameters {
  real<lower=0> k;
  vector<lower=0>[1] c;
  vector[2] y0;
  real<lower=0> r;
  real<lower=1> K;
}
transformed parameters {
  array[T] vector[2] a = ode_rk45_tol(oscillator, y0, 0, ts, 1e-10, 1e-10, 100000, k, c, force, 2);
  array[T] vector[2] b = ode_bdf_tol(oscillator, y0, 0.0, ts, 1e-11, 1e-11, 100000, k, c, force, 1);
  array[T] vector[2] d = ode_adams_tol(oscillator, y0, 0, ts, 1e-11, 1e-11, 100000, k, c, force, 1);
  array[T] vector[1] e = ode_ckrk_tol(logistic_growth, [0.2]', 0, ts, 1e-10, 1e-10, 100000, r, K);
  array[T] vector[1] f = ode_rk45_tol(logistic_growth, [0.2]', 0, ts, 1e-10, 1e-10, 100000, r, K + 1);
}
model {
  for (t in 1 : T) {
    a[t] ~ normal(0, 1);
    b[t] ~ normal(t, 1);
    d[t] ~ normal(a[t], 2);
    e[t] ~ normal(f[t], 0.5);
  }
  k ~ lognormal(0, 1);
  c ~ exponential(1);
  y0 ~ std_normal();
  {r, K} ~ lognormal(0, 1);
}
