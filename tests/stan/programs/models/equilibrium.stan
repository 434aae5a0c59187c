// supply and demand cross at a price given implicitly
functions {
  vector excess(vector p, vector theta, data real shift) {
    vector[1] z;
    z[1] = theta[1] * exp(-theta[2] * p[1]) - theta[3] * p[1] - shift;
    return z;
  }
}
data {
  int<lower=1> N;
  vector[N] shift;
  vector[N] price;
}
parameters {
  vector<lower=0>[3] theta;
  real<lower=0> sigma;
}
model {
  for (n in 1 : N) {
    vector[1] p = solve_newton_tol(excess, [0.5]', 1e-12, 1e-12, 1000, theta, shift[n]);
    price[n] ~ normal(p[1], sigma);
  }
  theta ~ lognormal(0.5, 0.5);
  sigma ~ exponential(1);
}
