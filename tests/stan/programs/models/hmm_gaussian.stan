// forward algorithm by hand
data {
  int<lower=1> K;
  int<lower=1> T;
  vector[T] y;
}
parameters {
  simplex[K] start;
  array[K] simplex[K] A;
  ordered[K] mu;
  vector<lower=0>[K] sigma;
}
model {
  mu ~ normal(0, 5);
  sigma ~ exponential(1);
  {
    array[K] real acc;
    array[T, K] real gamma;
    for (k in 1 : K)
      gamma[1, k] = log(start[k]) + normal_lpdf(y[1] | mu[k], sigma[k]);
    for (t in 2 : T) {
      for (k in 1 : K) {
        for (j in 1 : K)
          acc[j] = gamma[t - 1, j] + log(A[j, k]) + normal_lpdf(y[t] | mu[k], sigma[k]);
        gamma[t, k] = log_sum_exp(acc);
      }
    }
    target += log_sum_exp(gamma[T]);
  }
}
