functions {
  real induced_dirichlet_lpdf(vector c, vector alpha, real phi) {
    int K = num_elements(c) + 1;
    vector[K - 1] sigma = inv_logit(phi - c);
    vector[K] p;
    matrix[K, K] J = rep_matrix(0, K, K);
    p[1] = 1 - sigma[1];
    for (k in 2 : (K - 1)) 
      p[k] = sigma[k - 1] - sigma[k];
    p[K] = sigma[K - 1];
    for (k in 1 : K) 
      J[k, 1] = 1;
    for (k in 2 : K) {
      real rho = sigma[k - 1] * (1 - sigma[k - 1]);
      J[k, k] = -rho;
      J[k - 1, k] = rho;
    }
    return dirichlet_lpdf(p | alpha) + log_determinant(J);
  }
}
data {
  int N;
  int K;
  int G;
  array[N] int<lower=1, upper=K> y;
  array[N] int g;
  matrix[N, 2] X;
}
parameters {
  array[G] ordered[K - 1] c;
  vector[2] b;
  vector[G] u;
  real<lower=0> s;
}
model {
  for (i in 1 : G) 
    c[i] ~ induced_dirichlet(rep_vector(1, K), 0);
  u ~ normal(0, s);
  s ~ normal(0, 1);
  b ~ normal(0, 1);
  for (n in 1 : N) {
    real eta = X[n] * b + u[g[n]];
    if (n % 2 == 0) 
      y[n] ~ ordered_logistic(eta, c[g[n]]);
    else {
      vector[K] th;
      th[1] = 1 - Phi(eta - c[g[n], 1]);
      for (k in 2 : (K - 1)) 
        th[k] = Phi(eta - c[g[n], k - 1]) - Phi(eta - c[g[n], k]);
      th[K] = Phi(eta - c[g[n], K - 1]);
      y[n] ~ categorical(th);
    }
  }
}

