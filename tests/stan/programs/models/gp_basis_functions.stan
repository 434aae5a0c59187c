// Laplace eigenfunctions on an interval; spectral density of the squared exponential
functions {
  vector spectral(real alpha, real rho, vector omega) {
    return alpha ^ 2 * sqrt(2 * pi()) * rho * exp(-0.5 * square(rho * omega));
  }
}
data {
  int<lower=1> N;
  int<lower=1> M;
  real<lower=0> L;
  vector[N] x;
  vector[N] y;
}
transformed data {
  matrix[N, M] B;
  vector[M] omega = linspaced_vector(M, 1, M) * pi() / (2 * L);
  for (m in 1 : M)
    B[ : , m] = sqrt(1 / L) * sin(omega[m] * (x + L));
}
parameters {
  vector[M] z;
  real<lower=0> alpha;
  real<lower=0> rho;
  real<lower=0> sigma;
}
model {
  vector[N] f = B * (sqrt(spectral(alpha, rho, omega)) .* z);
  z ~ std_normal();
  {alpha, sigma} ~ normal(0, 1);
  rho ~ lognormal(0, 1);
  y ~ normal(f, sigma);
}
