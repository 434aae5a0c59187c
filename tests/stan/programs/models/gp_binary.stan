data {
  int<lower=1> N;
  array[N] real x;
  array[N] int<lower=0, upper=1> z;
  real<lower=0> delta;
}
parameters {
  real<lower=0> rho;
  real<lower=0> alpha;
  real a;
  vector[N] eta;
}
model {
  vector[N] f;
  {
    matrix[N, N] K = gp_exp_quad_cov(x, alpha, rho);
    for (n in 1 : N)
      K[n, n] = K[n, n] + delta;
    f = cholesky_decompose(K) * eta;
  }
  rho ~ inv_gamma(5, 5);
  {alpha, a} ~ std_normal();
  eta ~ std_normal();
  z ~ bernoulli_logit(a + f);
}
