// several events per family; families share a frailty
data {
  int<lower=1> N;
  int<lower=1> F;
  array[N] int<lower=1, upper=F> family;
  vector<lower=0>[N] t;
  array[N] int<lower=0, upper=1> censored;
}
parameters {
  real mu;
  real<lower=0> sigma;
  vector[F] z;
  real<lower=0> omega;
}
model {
  vector[N] m = mu + omega * z[family];
  for (n in 1 : N) {
    if (censored[n])
      target += lognormal_lccdf(t[n] | m[n], sigma);
    else
      t[n] ~ lognormal(m[n], sigma);
  }
  mu ~ normal(0, 2);
  {sigma, omega} ~ normal(0, 1);
  z ~ std_normal();
}
