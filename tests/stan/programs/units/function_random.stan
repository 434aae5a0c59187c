// functions that draw random numbers are used outside the density only
functions {
  real jitter_rng(real mu, real s) {
    return normal_rng(mu, s);
  }
  vector many_rng(int n, real mu) {
    vector[n] out;
    for (i in 1 : n)
      out[i] = jitter_rng(mu, i);
    return out;
  }
}
data {
  int N;
  vector[N] y;
}
parameters {
  real mu;
  real<lower=0> s;
}
model {
  y ~ normal(mu, s);
  s ~ exponential(1);
}
generated quantities {
  vector[N] replicated = many_rng(N, mu);
  array[N] real direct = normal_rng(rep_vector(mu, N), s);
  int<lower=0> count = poisson_rng(s);
  array[3] int k = categorical_rng(rep_vector(0.25, 4)) == 1 ? {1, 2, 3} : {3, 2, 1};
  simplex[3] p = dirichlet_rng([1, 2, 3]');
  vector[2] m = multi_normal_rng([mu, 0]', [[1, 0.2], [0.2, s]]);
}
