// the covariance filled in element by element
data {
  int<lower=1> D;
  int<lower=1> N;
  array[N] vector[D] x;
  vector[N] y;
}
parameters {
  vector<lower=0>[D] rho;
  real<lower=0> eta;
  real<lower=0> sigma;
}
model {
  matrix[N, N] Sigma;
  for (i in 1 : (N - 1)) {
    Sigma[i, i] = square(eta) + square(sigma) + 1e-6;
    for (j in (i + 1) : N) {
      Sigma[i, j] = square(eta) * exp(-0.5 * dot_self((x[i] - x[j]) ./ rho));
      Sigma[j, i] = Sigma[i, j];
    }
  }
  Sigma[N, N] = square(eta) + square(sigma) + 1e-6;
  y ~ multi_normal(rep_vector(0, N), Sigma);
  rho ~ inv_gamma(5, 5);
  {eta, sigma} ~ normal(0, 1);
}
