// partly supervised: some states are known; forward algorithm with vectors and matrices
data {
  int<lower=1> K;
  int<lower=1> V;
  int<lower=0> T;
  int<lower=1> T_free;
  array[T] int<lower=1, upper=V> w;
  array[T] int<lower=1, upper=K> z;
  array[T_free] int<lower=1, upper=V> u;
  vector<lower=0>[K] alpha;
  vector<lower=0>[V] beta;
}
parameters {
  array[K] simplex[K] theta;
  array[K] simplex[V] phi;
}
model {
  for (k in 1 : K)
    theta[k] ~ dirichlet(alpha);
  for (k in 1 : K)
    phi[k] ~ dirichlet(beta);
  for (t in 1 : T)
    w[t] ~ categorical(phi[z[t]]);
  for (t in 2 : T)
    z[t] ~ categorical(theta[z[t - 1]]);
  {
    array[K] vector[K] log_theta_tr;
    vector[K] lp;
    vector[K] lp_next;
    for (i in 1 : K)
      for (j in 1 : K)
        log_theta_tr[j, i] = log(theta[i, j]);
    lp = log(to_vector(phi[ : , u[1]]));
    for (t in 2 : T_free) {
      for (k in 1 : K)
        lp_next[k] = log_sum_exp(log_theta_tr[k] + lp) + log(phi[k, u[t]]);
      lp = lp_next;
    }
    target += log_sum_exp(lp);
  }
}
