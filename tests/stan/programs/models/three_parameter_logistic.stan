// with guessing
data {
  int<lower=1> I;
  int<lower=1> J;
  array[J, I] int<lower=0, upper=1> y;
}
parameters {
  vector[J] theta;
  vector<lower=0>[I] a;
  vector[I] b;
  vector<lower=0, upper=0.5>[I] guess;
}
model {
  theta ~ std_normal();
  a ~ lognormal(0, 0.5);
  b ~ normal(0, 2);
  guess ~ beta(5, 23);
  for (j in 1 : J) {
    for (i in 1 : I) {
      real p = guess[i] + (1 - guess[i]) * inv_logit(a[i] * (theta[j] - b[i]));
      y[j, i] ~ bernoulli(p);
    }
  }
}
