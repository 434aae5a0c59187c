functions {
  vector system_old(vector x, vector theta, data array[] real x_r, data array[] int x_i) {
    vector[2] z;
    z[1] = x[1] ^ 3 + theta[1] * x[1] - x[2];
    z[2] = x[2] + x_r[1] * x[1] - theta[2] * x_i[1];
    return z;
  }
  vector system_new(vector x, real a, vector b, data real c) {
    return [exp(x[1]) - a - b[1] * x[2] * 0.1, x[2] * (1 + c) + x[1] - b[2]]';
  }
}
data {
  array[1] real x_r;
  array[1] int x_i;
}
transformed data {
  vector[2] guess = [0.5, 0.5]';
}
parameters {
  vector<lower=0>[2] theta;
  real<lower=0> a;
  vector[2] b;
}
transformed parameters {
  vector[2] x1 = algebra_solver(system_old, guess, theta, x_r, x_i, 1e-12, 1e-12, 10000);
  vector[2] x2 = algebra_solver_newton(system_old, guess, theta, x_r, x_i, 1e-12, 1e-12, 10000);
  vector[2] x3 = solve_powell_tol(system_new, guess, 1e-12, 1e-12, 10000, a, b, 0.3);
  vector[2] x4 = solve_newton_tol(system_new, guess, 1e-12, 1e-12, 10000, a, b, 0.3);
  vector[2] x5 = solve_newton(system_new, x3, a, b, 0.3);
}
model {
  x1 ~ normal(0, 1);
  x2 ~ normal(1, 2);
  x3 ~ normal(1, 2);
  x4 ~ normal(0, 1);
  x5 ~ normal(0, 3);
  theta ~ lognormal(0, 1);
  a ~ exponential(1);
  b ~ std_normal();
}
