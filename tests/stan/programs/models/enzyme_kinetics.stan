// Michaelis and Menten's elimination: the decay equation solved for each patient
functions {
  vector elimination(real t, vector c, real vmax, real km) {
    return [-vmax * c[1] / (km + c[1])]';
  }
}
data {
  int<lower=1> T;
  array[T] real<lower=0> ts;
  vector<lower=0>[T] y;
}
parameters {
  real<lower=0> vmax;
  real<lower=0> km;
  real<lower=0> c0;
  real<lower=0> sigma;
}
transformed parameters {
  vector[T] c = to_vector(ode_bdf_tol(elimination, [c0]', 0, ts, 1e-10, 1e-10, 100000, vmax, km)[ : , 1]);
}
model {
  {vmax, km} ~ lognormal(0, 0.7);
  c0 ~ lognormal(1, 0.3);
  sigma ~ lognormal(-1, 0.5);
  y ~ normal(c, sigma);
}
