// daily counts of cases, negative binomial
functions {
  vector sir(real t, vector y, real beta, real gamma, int N) {
    real infection = beta * y[1] * y[2] / N;
    real recovery = gamma * y[2];
    return [-infection, infection - recovery, recovery]';
  }
}
data {
  int<lower=1> days;
  real t0;
  array[days] real ts;
  int N;
  array[days] int<lower=0> cases;
}
parameters {
  real<lower=0> gamma;
  real<lower=0> beta;
  real<lower=0> phi_inv;
  real<lower=1, upper=20> i0;
}
transformed parameters {
  real phi = 1. / phi_inv;
  vector[3] y0 = [N - i0, i0, 0]';
  array[days] vector[3] y = ode_rk45_tol(sir, y0, t0, ts, 1e-10, 1e-10, 1000000, beta, gamma, N);
  vector<lower=0>[days] incidence;
  incidence[1] = y0[1] - y[1, 1];
  for (d in 2 : days)
    incidence[d] = y[d - 1, 1] - y[d, 1];
}
model {
  beta ~ normal(2, 1);
  gamma ~ normal(0.4, 0.5);
  phi_inv ~ exponential(5);
  cases ~ neg_binomial_2(incidence + 1e-5, phi);
}
generated quantities {
  real R0 = beta / gamma;
}
