// the right side is read before the left side is written
data {
  int N;
  array[N] int perm;
}
parameters {
  vector[N] v;
  matrix[N, N] M;
}
transformed parameters {
  vector[N] w = v;
  matrix[N, N] Q = M;
  w[perm] = w;
  w[2 : N] = w[1 : (N - 1)];
  w = reverse(w);
  w[1] = w[N] + w[1];
  Q = Q';
  Q[1] = Q[2];
  Q[ : , 2] = Q[1]';
  Q[1 : 2] = Q[2 : 3];
  Q[perm, 1] = Q[ : , 1];
  for (n in 1 : (N - 1)) {
    real t = w[n];
    w[n] = w[n + 1];
    w[n + 1] = t * 2;
  }
}
model {
  w ~ normal([1, 2, 3, 4]', 1);
  to_vector(Q) ~ normal(linspaced_vector(N * N, 0, 1), 2);
}
