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
  vector[N] v;
  ordered[2] cut;
  simplex[3] th;
  cov_matrix[2] S;
}
model {
  int pos = 1;
  for (g in 1 : G) {
    y[s[g] : e[g]] ~ normal(mu[g] + X[s[g] : e[g]] * b, sg);
    segment(x, pos, n[g]) ~ student_t(4, mu[g], sg);
    z[s[g] : e[g]] ~ bernoulli_logit(mu[g]
                                     + x[s[g] : e[g]]
                                       .* exp(0.1 * v[s[g] : e[g]]));
    k[s[g] : e[g]] ~ ordered_logistic(v[s[g] : e[g]] * 2 - mu[g], cut);
    k[s[g] : e[g]] ~ categorical(th);
    Y[s[g] : e[g]] ~ multi_normal([mu[g], 0]', S);
    target += poisson_log_lpmf(c[s[g] : e[g]] | mu[g]);
    target += 0.5
              * normal_lupdf(v[perm[s[g] : e[g]]] | segment(y, pos, n[g]), sqrt(sg));
    target += normal_lccdf(x[s[g] : e[g]] | mu[g], sg
                                                   + inv_logit(v[s[g] : e[g]]));
    pos += n[g];
  }
  for (g in 2 : G) 
    head(v, n[g]) ~ normal(reverse(tail(y, n[g])), rep_vector(sg, n[g]));
  v ~ normal(0, 1);
  sg ~ exponential(1);
  mu ~ normal(0, 1);
  b ~ normal(0, 1);
  cut ~ normal(0, 1);
}

