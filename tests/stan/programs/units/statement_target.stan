// target() read in the middle, and what is added from functions and blocks
functions {
  void prior_lp(real x) {
    x ~ normal(0, 2);
    target += -0.1 * x;
  }
  real half_lp(real x) {
    x ~ cauchy(0, 1);
    return target();
  }
}
data {
  vector[3] y;
}
parameters {
  real a;
  real<lower=0> s;
}
transformed parameters {
  real b = a * 2;
  prior_lp(b);
}
model {
  real before = target();
  y ~ normal(a, s);
  real after = target();
  target += 0.5 * (after - before);
  target += [a, -square(a)];
  target += {[a, -1]', [s, -s]'};
  prior_lp(a);
  real h = half_lp(s);
  target += 0.01 * h;
  for (n in 1 : 3) {
    prior_lp(y[n] - a);
  }
}
