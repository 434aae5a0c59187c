data {
  int<lower=0> N;
  vector[N] y;
}
parameters {
  real mu;
  real<lower=0> s;
}
transformed parameters {
  real total = 0;
  {
    vector[N] r = y - mu;
    real total_ = dot_self(r);
    total = total_ / s;
    {
      real inner = total * 2;
      total += inner;
    }
  }
}
model {
  real k = 1;
  {
    real j = k + mu;
    k = j;
    {
      real m;
      m = j;
      k *= m;
    }
  }
  for (n in 1 : N) {
    real j = n;
    vector[2] pair;
    pair[1] = j;
    pair[2] = y[n];
    {
      real h = pair[1] * mu;
      target += -square(h - pair[2]) * 0.1;
    }
  }
  target += -k - total;
  ;
  profile("prior") {
    real width = 2;
    mu ~ normal(0, width);
    profile("inner") {
      s ~ exponential(1);
    }
  }
}
