// one compartment, first-order absorption, random clearance and volume; old interface
functions {
  array[] real one_compartment(real t, array[] real y, array[] real theta, array[] real x_r,
                               array[] int x_i) {
    real ka = theta[1];
    real ke = theta[2];
    return {-ka * y[1], ka * y[1] - ke * y[2]};
  }
}
data {
  int<lower=1> P;
  int<lower=1> T;
  array[T] real<lower=0> ts;
  vector<lower=0>[P] dose;
  array[P, T] real<lower=0> concentration;
}
transformed data {
  array[0] real x_r;
  array[0] int x_i;
}
parameters {
  real<lower=0> ka;
  real<lower=0> CL;
  real<lower=0> V;
  vector[P] z;
  real<lower=0> omega;
  real<lower=0> sigma;
}
model {
  {ka, CL, V} ~ lognormal(0, 0.5);
  z ~ std_normal();
  omega ~ normal(0, 0.3);
  sigma ~ normal(0, 0.5);
  for (p in 1 : P) {
    real ke = CL * exp(omega * z[p]) / V;
    array[T, 2] real y = integrate_ode_bdf(one_compartment, {dose[p], 0}, 0, ts, {ka, ke}, x_r, x_i,
                                           1e-10, 1e-10, 1000000);
    for (t in 1 : T)
      concentration[p, t] ~ lognormal(log(y[t, 2] / V), sigma);
  }
}
