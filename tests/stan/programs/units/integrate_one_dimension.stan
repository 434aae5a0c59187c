functions {
  real bump(real x, real xc, array[] real theta, data array[] real x_r, data array[] int x_i) {
    return exp(-0.5 * square((x - theta[1]) / theta[2])) * x_r[1];
  }
  real edge(real x, real xc, array[] real theta, data array[] real x_r, data array[] int x_i) {
    return x ^ theta[1] * exp(-theta[2] * x) * x_i[1];
  }
}
data {
  array[1] real x_r;
  array[1] int x_i;
}
parameters {
  real mu;
  real<lower=0> s;
  real<lower=0.5> upto;
}
transformed parameters {
  vector[5] f;
  f[1] = integrate_1d(bump, negative_infinity(), positive_infinity(), {mu, s}, x_r, x_i);
  f[2] = integrate_1d(bump, -1, upto, {mu, s}, x_r, x_i, 1e-10);
  f[3] = integrate_1d(bump, mu, positive_infinity(), {mu, s}, x_r, x_i, 1e-10);
  f[4] = integrate_1d(edge, 0, positive_infinity(), {s, upto}, x_r, x_i, 1e-10);
  f[5] = integrate_1d(edge, 0, 1, {0.5, s}, x_r, x_i, 1e-10);
}
model {
  f ~ normal(1, 1);
  mu ~ normal(0, 1);
  s ~ lognormal(0, 0.5);
  upto ~ exponential(1);
}
