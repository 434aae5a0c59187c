// regression on the orthogonal factor of the design, coefficients recovered afterwards
data {
  int<lower=1> N;
  int<lower=1> K;
  matrix[N, K] X;
  vector[N] y;
}
transformed data {
  matrix[N, K] centred;
  for (k in 1 : K) {
    centred[ : , k] = (X[ : , k] - mean(X[ : , k])) / sd(X[ : , k]);
  }
  matrix[N, K] Q = qr_thin_Q(centred) * sqrt(N - 1);
  matrix[K, K] R_inverse = inverse(qr_thin_R(centred) / sqrt(N - 1));
}
parameters {
  real alpha;
  vector[K] theta;
  real<lower=0> sigma;
}
transformed parameters {
  vector[K] beta = R_inverse * theta;
}
model {
  beta ~ normal(0, 1);
  sigma ~ student_t(4, 0, 2);
  y ~ normal_id_glm(Q, alpha, theta, sigma);
}
