data {
  int<lower=0> J;
  vector[J] y;
  vector<lower=0>[J] sigma;
}
parameters {
  real mu;
  real<lower=0> tau;
  vector[J] eta;
}
transformed parameters {
  vector[J] theta;
  for (j in 1 : J) {
    theta[j] = mu + tau * eta[j];
  }
}
model {
  target += normal_lpdf(eta | 0, 1);
  target += normal_lpdf(y | theta, sigma);
}
generated quantities {
  real shrinkage = mean(abs(theta - mu)) / mean(abs(y - mu));
}
