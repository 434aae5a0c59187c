// branches that reject and are not taken at the reference points
functions {
  real safe_log(real x) {
    if (x <= 0)
      reject("x must be positive, but is ", x);
    return log(x);
  }
}
data {
  int<lower=0> N;
  vector<lower=0>[N] y;
}
transformed data {
  if (N < 1)
    fatal_error("no rows");
  for (n in 1 : N)
    if (y[n] == 0)
      reject("zero in row ", n);
  print("rows: ", N);
}
parameters {
  real<lower=0> s;
  real mu;
}
model {
  if (s > 100)
    reject("s = ", s, " is out of bounds");
  for (n in 1 : N) {
    y[n] ~ normal(safe_log(s + y[n]), s);
  }
  if (mu < -50) {
    reject("mu");
  } else {
    mu ~ normal(0, 1);
  }
  print("lp: ", target());
  s ~ exponential(1);
}
