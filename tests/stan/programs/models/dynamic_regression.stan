// coefficients walk randomly, non-centred by cumulative sums
data {
  int<lower=1> T;
  vector[T] x;
  vector[T] y;
}
parameters {
  vector[T] da;
  vector[T] db;
  vector<lower=0>[2] tau;
  real<lower=0> sigma;
}
transformed parameters {
  vector[T] a = cumulative_sum(da) * tau[1];
  vector[T] b = cumulative_sum(db) * tau[2];
}
model {
  append_row(da, db) ~ std_normal();
  tau ~ normal(0, 0.5);
  sigma ~ exponential(1);
  y ~ normal(a + b .* x, sigma);
}
