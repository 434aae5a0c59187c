data {
  int G;
  int N;
  array[G] int n;
  array[G] int s;
  array[G] int e;
  vector[N] y;
  vector[N] x;
  matrix[N, 2] X;
  array[N] int z;
  array[N] int c;
  array[N] int perm;
  array[N] int k;
  array[N] vector[2] Y;
}
parameters {
  vector[G] mu;
  real<lower=0> sg;
  vector[2] b;
  vector<lower=0>[N] v;
  matrix[3, N] M;
}
transformed parameters {
  vector[G] a;
  vector[G] lse;
  vector[G] pr;
  array[G] real mx;
  for (g in 1 : G) {
    a[g] = sum(v[s[g] : e[g]] .* y[s[g] : e[g]])
           + dot_product(v[s[g] : e[g]], x[s[g] : e[g]])
           - dot_self(v[s[g] : e[g]]);
    lse[g] = log_sum_exp(append_row(0, v[s[g] : e[g]]));
    pr[g] = prod(1 - exp(-v[s[g] : e[g]]));
    mx[g] = n[g] == 0 ? 0.0
            : max(v[s[g] : e[g]] - y[s[g] : e[g]])
              + log_sum_exp(mu[g] + log(v[s[g] : e[g]]))
              - min(M[2, s[g] : e[g]]) + mean(M[ : , s[g] : e[g]][1]);
  }
}
model {
  for (g in 1 : G) {
    real t = sum(log1m_exp(-v[s[g] : e[g]] - 0.1));
    target += t;
    if (mu[g] > 0) 
      target += -0.1 * sum(square(M[1, s[g] : e[g]]));
    else 
      target += sum(z[s[g] : e[g]]) * mu[g] * 0.01
                - sum(abs(M[3, s[g] : e[g]] * 0.1));
    for (j in 1 : 3) 
      target += -0.01
                * sum(M[j, s[g] : e[g]] .* to_row_vector(v[s[g] : e[g]]));
  }
  target += normal_lpdf(a | lse, 1) + normal_lpdf(mx | pr, 2);
  v ~ exponential(1);
  to_vector(M) ~ normal(0, 1);
  mu ~ normal(0, 1);
  sg ~ exponential(1);
  b ~ normal(0, 1);
}

