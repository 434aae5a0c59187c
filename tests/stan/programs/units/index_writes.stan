data {
  int N;
  array[N] int<lower=1> idx;
}
parameters {
  vector[5] v;
  matrix[3, 5] M;
  array[2] vector[3] vs;
}
transformed parameters {
  vector[5] w = rep_vector(1, 5);
  matrix[3, 5] Q;
  array[2, 3] matrix[2, 2] T = rep_array(identity_matrix(2), 2, 3);
  array[2, 3] real a;
  array[4] vector[3] us;
  w[idx] = v[1 : N];
  w[1 : 2] = 2 * v[{5, 4}];
  w[5] = sum(w[1 : 4]);
  Q = M;
  Q[2] = w';
  Q[ : , 1] = vs[1];
  Q[1 : 2, {2, 4}] = [[v[1], 1], [2, v[3]]];
  Q[3, 2 : 4] = v[2 : 4]' * 3;
  Q[2 : , 5 : ] = Q[1 : 2, 1 : 1];
  T[1, 2] = M[1 : 2, 1 : 2];
  T[2, 3, 1, 2] = v[1];
  T[2, : , 2, 1] = {v[2], v[3], 1.0};
  T[{2, 1}, 1] = T[1, 2 : 3];
  a[1] = {1.0, v[1], v[2]};
  a[2] = a[1];
  a[1, 2 : 3] = to_array_1d(v[4 : 5]);
  us = rep_array(vs[1], 4);
  us[{1, 3}] = vs;
  us[2 : 4] = us[1 : 3];
  us[2] = vs[1] + vs[2];
  us[4, 1 : 3] = vs[2] * 2;
}
model {
  target += -dot_self(w) - sum(square(Q)) - dot_product(to_vector(a[1]), to_vector(a[2]));
  for (i in 1 : 2)
    for (j in 1 : 3)
      target += -sum(square(T[i, j])) * i * j;
  for (u in us)
    u ~ normal(0, 2);
}
