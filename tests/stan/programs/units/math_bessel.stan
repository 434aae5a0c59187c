parameters {
  real<lower=0> x;
  real<lower=0> nu;
  real<lower=-0.36, upper=0> w;
}
transformed parameters {
  vector[9] f;
  f[1] = bessel_first_kind(0, x) + bessel_first_kind(2, x);
  f[2] = bessel_second_kind(1, x + 0.5);
  f[3] = modified_bessel_first_kind(0, x) + modified_bessel_first_kind(1, x);
  f[4] = modified_bessel_second_kind(0, x) + modified_bessel_second_kind(2, x + 1);
  f[5] = log_modified_bessel_first_kind(1.5, x);
  f[6] = log_modified_bessel_first_kind(nu, x);
  f[7] = lambert_w0(x) + lambert_w0(w);
  f[8] = lambert_wm1(w);
  f[9] = log_modified_bessel_first_kind(0.0, 60 + x);
}
model {
  f ~ normal(linspaced_vector(9, -1, 2), 2);
}
