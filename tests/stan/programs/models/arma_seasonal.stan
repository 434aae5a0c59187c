data {
  int T;
  vector[T] y;
  int<lower=0> p;
  int<lower=0> q;
  int<lower=1> S;
}
parameters {
  real mu;
  vector<lower=-1, upper=1>[p] phi;
  vector<lower=-1, upper=1>[q] theta;
  real<lower=-1, upper=1> Theta;
  real<lower=0> sigma;
}
model {
  vector[T] nu;
  vector[T] err;
  nu[1] = mu + sum(phi) * mu;
  err[1] = y[1] - nu[1];
  for (t in 2 : T) {
    nu[t] = mu;
    for (i in 1 : p) {
      if (t - i < 1) 
        break;
      nu[t] += phi[i] * y[t - i];
    }
    for (j in 1 : min(q, t - 1)) 
      nu[t] += theta[j] * err[t - j];
    if (t > S) 
      nu[t] += Theta * err[t - S];
    if (t > S + 1) 
      nu[t] += Theta * theta[1] * err[t - S - 1];
    err[t] = y[t] - nu[t];
  }
  mu ~ normal(0, 10);
  phi ~ normal(0, .5);
  theta ~ normal(0, .5);
  sigma ~ cauchy(0, 5);
  err ~ normal(0, sigma);
}

