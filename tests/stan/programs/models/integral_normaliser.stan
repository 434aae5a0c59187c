// a density known up to a constant, which is an integral
functions {
  real kernel_(real x, real xc, array[] real theta, data array[] real x_r, data array[] int x_i) {
    return exp(-theta[1] * x ^ 4 + theta[2] * x ^ 2);
  }
}
data {
  int<lower=1> N;
  vector[N] y;
}
transformed data {
  array[0] real x_r;
  array[0] int x_i;
}
parameters {
  real<lower=0> a;
  real b;
}
transformed parameters {
  real log_Z = log(integrate_1d(kernel_, negative_infinity(), positive_infinity(), {a + 0.2, b}, x_r, x_i, 1e-10));
}
model {
  target += sum(-(a + 0.2) * y .^ 4 + b * y .^ 2) - N * log_Z;
  a ~ exponential(1);
  b ~ normal(0, 1);
}
