data {
  int<lower=3> T;
  vector[T] y;
}
parameters {
  vector[2] phi;
  real<lower=0> s;
  vector[T] z;
  matrix[2, 2] A;
}
transformed parameters {
  vector[T] x;
  array[T] vector[2] state;
  matrix[2, T] cols_;
  x[1] = z[1];
  x[2] = z[2] + phi[1] * x[1];
  for (t in 3 : T)
    x[t] = phi[1] * x[t - 1] + phi[2] * x[t - 2] + s * z[t];
  state[1] = [z[1], 1]';
  for (t in 2 : T)
    state[t] = tanh(A * state[t - 1]) + z[t];
  cols_[ : , T] = phi;
  for (i in 1 : (T - 1)) {
    int t = T - i;
    cols_[ : , t] = 0.5 * cols_[ : , t + 1] + [z[t], y[t]]';
  }
}
model {
  y ~ normal(x, s);
  z ~ std_normal();
  for (t in 1 : T) {
    target += -dot_self(state[t]) - sum(cols_[ : , t]) * 0.1;
  }
  to_vector(A) ~ normal(0, 0.5);
  phi ~ normal(0, 0.5);
  s ~ exponential(1);
}
