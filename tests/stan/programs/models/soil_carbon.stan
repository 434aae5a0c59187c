// two pools exchanging mass, exact solution by the matrix exponential
data {
  int<lower=1> T;
  vector<lower=0>[T] ts;
  vector<lower=0>[T] evolved;
  real<lower=0> total;
}
parameters {
  vector<lower=0, upper=1>[2] k;
  real<lower=0, upper=1> a21;
  real<lower=0, upper=1> a12;
  real<lower=0, upper=1> share;
  real<lower=0> sigma;
}
model {
  matrix[2, 2] A = [[-k[1], a12 * k[2]], [a21 * k[1], -k[2]]];
  vector[2] c0 = total * [share, 1 - share]';
  for (t in 1 : T) {
    vector[2] c = matrix_exp(A * ts[t]) * c0;
    evolved[t] ~ normal(total - sum(c), sigma);
  }
  sigma ~ exponential(1);
  share ~ beta(5, 2);
}
