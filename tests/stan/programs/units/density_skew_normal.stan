data {
  int<lower=0> N;
  vector[N] y;
}
parameters {
  real xi;
  real<lower=0> omega;
  real alpha;
  vector[N] alphas;
}
model {
  y ~ skew_normal(xi, omega, alpha);
  y ~ skew_normal(0, 1, alphas);
  xi ~ skew_normal(0, 3, 4);
  alphas ~ skew_normal(alpha, omega, -2);
  target += skew_normal_lpdf(y | xi, 2, -1.5);
  target += skew_normal_lcdf(xi | 0, omega, 0.8) + skew_normal_lccdf(y | xi, omega, 1.2);
  alpha ~ std_normal();
  omega ~ lognormal(0, 1);
}
