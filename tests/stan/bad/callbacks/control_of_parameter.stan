functions {
  vector f(vector y) {
    return y;
  }
}
parameters {
  real<lower=0> tolerance;
}
model {
  target += sum(solve_newton_tol(f, [1]', tolerance, 1e-3, 100));
}
