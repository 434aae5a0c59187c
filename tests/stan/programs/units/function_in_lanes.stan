// user functions called from loops: locals, loops and branches per row
functions {
  real loss(real y, real mu, array[] int steps) {
    real total = 0;
    int n = 0;
    for (s in steps) {
      n += s;
      if (s > 2) {
        total += square(y - mu * n);
      } else if (s > 0) {
        real t = abs(y) + 1;
        total += mu / t;
      }
    }
    return total / (n + 1);
  }
  vector pattern(int k, real a) {
    vector[3] v = rep_vector(a, 3);
    for (i in 1 : k)
      v[i] *= i + 1;
    return v;
  }
  real capped_sum(vector v, int k) {
    return k > 1 ? sum(v[1 : k]) : v[1];
  }
}
data {
  int N;
  vector[N] y;
  array[N, 4] int steps;
  array[N] int<lower=0, upper=3> k;
}
parameters {
  real mu;
  real<lower=0> s;
}
model {
  for (n in 1 : N) {
    vector[3] v = pattern(k[n], mu);
    target += -loss(y[n], mu, steps[n]) - dot_self(v) * s;
    target += -capped_sum(v, k[n]) * 0.1;
    y[n] ~ normal(v[2], s);
  }
  mu ~ normal(0, 1);
  s ~ exponential(1);
}
