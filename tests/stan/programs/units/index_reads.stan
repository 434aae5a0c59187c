data {
  int N;
  array[N] int<lower=1> idx;
  array[3, 4] real a;
  array[2, 2] int where_;
}
parameters {
  vector[5] v;
  row_vector[4] r;
  matrix[4, 5] M;
  array[3] vector[5] vs;
  array[2, 3] matrix[2, 2] T;
}
model {
  target += -dot_self(v[idx]) - sum(v[2 : 4]) - sum(v[ : 2]) + sum(v[3 : ]) - sum(v[ : ]);
  target += sum(M[idx, 2]) - sum(M[1]) + sum(M[2, : ]) - sum(M[ : , 3]) + sum(M[ : ]) - M[2, 3];
  target += sum(M[1 : 2, 2 : 3]) - sum(M[idx, idx]) * 0.1 + sum(M[3 : , : 2]) + sum(M[idx[2]]);
  target += sum(vs[2]) + vs[3, 2] - sum(vs[ : , 1]) + sum(vs[{1, 3}, 2 : 3][2]) - sum(vs[2][idx]);
  target += T[1, 2, 1, 2] + sum(T[2, 1]) - sum(T[2, 1, 1]) + sum(T[ : , 2][1]) + sum(T[1, : , 2, 1]);
  target += sum(to_array_1d(a[2 : 3, idx])) * r[1] - sum(r[idx]) + a[1][2] * r[where_[2, 1]];
  target += (v + 1)[2] - (M * v)[3] + vs[idx[1]][where_[1]][2] + (M[1 : 2][2])[3];
  target += sum(v[{1, 1, 5}]) + sum(v[sort_indices_asc(r)[{1, 2}] ] .* [1, 2]');
  target += -dot_self(v) - dot_self(r) - sum(square(M)) * 0.5;
}
