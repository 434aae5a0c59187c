data {
  int<lower=1> N;
  vector[N] x;
}
parameters {
  real a;
  vector[N] v;
  matrix[N, N] M;
}
transformed parameters {
  real r = a;
  vector[N] w = v;
  matrix[N, N] Q = M;
  array[N] real arr = to_array_1d(v);
  r += 2;
  r *= a;
  r -= x[1];
  r /= 3;
  w += x;
  w -= a;
  w *= 2;
  w .*= x;
  w ./= x + 10;
  w /= 4;
  w[2] += v[1];
  w[1 : 2] *= 3;
  Q *= M;
  Q += identity_matrix(N);
  Q .*= M;
  Q[1] += x';
  Q[2, 3] -= a;
  Q[ : , 1] += x;
  Q -= 1;
  Q /= 2;
  for (n in 1 : N) {
    arr[n] *= x[n];
    arr[n] += n;
    w[n] -= arr[n];
  }
}
model {
  target += -square(r) - dot_self(w) - 0.1 * sum(square(to_vector(Q)));
  arr ~ normal(0, 1);
  v ~ std_normal();
}
