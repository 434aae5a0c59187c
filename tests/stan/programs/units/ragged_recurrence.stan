data {
  int T;
  vector[T] y;
  vector[T] w;
  int L;
}
parameters {
  real<lower=0> R;
  real<lower=0> s;
  vector<lower=0>[T] k;
}
model {
  vector[T] p;
  vector[T] q = rep_vector(0, T);
  p[1] = 1;
  for (t in 2 : T) {
    p[t] = 0.1
           + R * dot_product(head(p, t - 1), reverse(head(w, t - 1)))
             / (1 + sum(p[max(1, t - 3) : (t - 1)]));
    q[t] = log_sum_exp(p[max(1, t - L) : (t - 1)])
           + max(q[1 : (t - 1)]) * 0.1;
  }
  y ~ normal(p + q, s);
  R ~ normal(1, 1);
  s ~ exponential(1);
  k ~ exponential(1);
  for (t in 1 : T) 
    target += -0.1 * sum(k[t : min(T, t + 2)] .* p[t : min(T, t + 2)]);
}

