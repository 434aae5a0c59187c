data {
  int<lower=0> N;
  vector[N] y;
}
parameters {
  vector[2] b;
  real<lower=0> s;
  simplex[3] p;
}
model {
  vector[N] eta;
  array[N] real sd_;
  matrix[N, 3] lp;
  array[N, 3] real contributions;
  for (n in 1 : N) {
    eta[n] = b[1] + b[2] * y[n];
    sd_[n] = s * (1 + square(y[n]));
  }
  y ~ normal(eta, sd_);
  for (n in 1 : N) {
    for (k in 1 : 3) {
      lp[n, k] = log(p[k]) + normal_lpdf(y[n] | k * b[1], s);
      contributions[n, k] = lp[n, k] / 2;
    }
    target += log_sum_exp(lp[n]) + log_sum_exp(contributions[n]);
  }
  {
    vector[N] tmp = rep_vector(0, N);
    for (n in 1 : N) {
      vector[3] row_;
      for (k in 1 : 3)
        row_[k] = eta[n] * k;
      tmp[n] = sum(row_) + tmp[n];
    }
    target += -0.01 * dot_self(tmp);
  }
  b ~ normal(0, 1);
  s ~ exponential(1);
}
