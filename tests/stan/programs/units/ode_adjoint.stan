functions {
  vector lv(real t, vector z, vector p) {
    return [z[1] * (p[1] - p[2] * z[2]), z[2] * (p[3] * z[1] - p[4])]';
  }
}
data {
  int<lower=1> T;
  array[T] real ts;
  array[T] vector[2] y;
}
parameters {
  vector<lower=0>[4] p;
  vector<lower=0>[2] z0;
  real<lower=0> s;
}
transformed parameters {
  array[T] vector[2] z = ode_adjoint_tol_ctl(lv, z0, 0, ts,
      1e-11, rep_vector(1e-11, 2), 1e-11, rep_vector(1e-11, 2), 1e-11, 1e-11,
      1000000, 250, 2, 1, 1, p);
}
model {
  for (t in 1 : T)
    y[t] ~ lognormal(log(z[t]), s);
  p ~ lognormal(-0.5, 0.5);
  z0 ~ lognormal(0, 0.5);
  s ~ lognormal(0, 0.5);
}
