// block maxima, generalised extreme value density written out
functions {
  real gev_lpdf(vector y, real mu, real sigma, real xi) {
    int N = rows(y);
    vector[N] z = (y - mu) / sigma;
    vector[N] lp;
    for (n in 1 : N) {
      if (abs(xi) < 1e-8) {
        lp[n] = -z[n] - exp(-z[n]);
      } else {
        real s = 1 + xi * z[n];
        if (s <= 0)
          return negative_infinity();
        lp[n] = -(1 + 1 / xi) * log(s) - pow(s, -1 / xi);
      }
    }
    return sum(lp) - N * log(sigma);
  }
}
data {
  int<lower=0> N;
  vector[N] y;
}
parameters {
  real mu;
  real<lower=0> sigma;
  real<lower=-0.5, upper=0.5> xi;
}
model {
  y ~ gev(mu, sigma, xi);
  mu ~ normal(0, 5);
  sigma ~ lognormal(0, 1);
}
