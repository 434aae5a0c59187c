data {
  int<lower=1> N;
  int<lower=1> N2;
  array[N] real x;
  array[N2] real x2;
  array[N] vector[2] z;
  array[N2] vector[2] z2;
}
parameters {
  real<lower=0> sigma;
  real<lower=0> rho;
  array[2] real<lower=0> rhos;
  real<lower=0.5> period;
  array[N] vector[2] latent;
}
transformed parameters {
  vector[12] f;
  f[1] = sum(gp_exp_quad_cov(x, sigma, rho)) + sum(gp_exp_quad_cov(x, x2, sigma, rho));
  f[2] = sum(gp_exp_quad_cov(z, sigma, rho)) + sum(gp_exp_quad_cov(z, z2, sigma, rho));
  f[3] = sum(gp_exp_quad_cov(z, sigma, rhos)) + gp_exp_quad_cov(z, z2, sigma, rhos)[1, 2];
  f[4] = sum(gp_dot_prod_cov(x, sigma)) + sum(gp_dot_prod_cov(z, z2, sigma));
  f[5] = sum(gp_exponential_cov(x, sigma, rho)) + gp_exponential_cov(z, z2, sigma, rhos)[2, 1];
  f[6] = sum(gp_matern32_cov(x, sigma, rho)) + sum(gp_matern32_cov(x, x2, sigma, rho));
  f[7] = sum(gp_matern32_cov(z, sigma, rho)) + gp_matern32_cov(z, z2, sigma, rho)[1, 1];
  f[8] = sum(gp_matern52_cov(x, sigma, rho)) + gp_matern52_cov(z, z2, sigma, rhos)[3, 2];
  f[9] = sum(gp_periodic_cov(x, sigma, rho, period)) + sum(gp_periodic_cov(x, x2, sigma, rho, period));
  f[10] = sum(gp_periodic_cov(z, sigma, rho, period)) + sum(gp_exponential_cov(z, sigma, rho));
  f[11] = sum(gp_exp_quad_cov(latent, sigma, 1.5)) + gp_dot_prod_cov(latent, z2, 1)[2, 1];
  f[12] = sum(gp_matern52_cov(latent, z2, sigma, rho)) + gp_exp_quad_cov(x, 1.5, 0.7)[1, 2];
}
model {
  f ~ normal(linspaced_vector(12, -1, 2), 10);
  vector[N] y = [0.4, -0.2, 1]';
  y ~ multi_normal(rep_vector(0, N), add_diag(gp_exp_quad_cov(x, sigma, rho), 0.1));
  for (n in 1 : N)
    latent[n] ~ normal(z[n], 1);
}
