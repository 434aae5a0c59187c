data {
  int n;
}
parameters {
  vector[3] v;
  row_vector[2] r;
  matrix[2, 3] M;
  real a;
}
model {
  matrix[3, 3] R = rep_matrix(a, 3, 3) + rep_matrix(v, 3) + rep_matrix(v', 3);
  array[2] vector[3] vs = rep_array(v, 2);
  array[2, 3] real as = rep_array(a, 2, 3);
  array[2, 1, 2] real ar = rep_array(a, 2, 1, 2);
  target += -sum(square(R)) - dot_self(vs[2]) - as[2, 3] ^ 2 + ar[1, 1, 2];
  target += -dot_self(append_row(v, rep_vector(a, n))) - dot_self(append_col(r, [a, 1]));
  target += -sum(square(append_row(M, v'))) - sum(square(append_col(M, r')));
  target += -dot_self(append_row(a, v)) + sum(append_col(r, a)) + sum(append_row(M, M)[ : , 2]);
  target += sum(append_array({a, 1}, to_array_1d(v))) + size(append_array({v}, {v, v})) * a;
  target += sum(head(v, 2)) - sum(tail(v, 2)) + sum(segment(v, 2, 2)) - sum(head(r, 1)) + sum(tail({1.0, a}, 1));
  target += segment({v, v + 1, v + 2}, 2, 1)[1, 3] + sum(block(M, 1, 2, 2, 2)) - sum(sub_col(M, 1, 3, 2));
  target += sum(sub_row(M, 2, 1, 2)) + sum(row(M, 1)) - sum(col(M, 2)) + sum(diagonal(R)) + sum(reverse(v) .* v);
  target += sum(linspaced_vector(4, 0, 1)) * a + sum(linspaced_row_vector(3, -1, 1)) + sum(linspaced_array(3, 1, 2)) * a;
  target += sum(linspaced_int_array(4, 1, 10)) * a + sum(one_hot_vector(4, 2)) + one_hot_row_vector(3, 1) * v;
  target += sum(one_hot_array(3, 2)) + sum(one_hot_int_array(4, 1)) * a + sum(ones_vector(3) .* v) + sum(ones_row_vector(2) .* r);
  target += sum(ones_array(2)) * a + sum(ones_int_array(3)) + sum(zeros_vector(3) .* v) + sum(zeros_row_vector(2) + r);
  target += sum(zeros_array(3)) + sum(zeros_int_array(2)) + dot_product(uniform_simplex(3), v);
  target += sum(identity_matrix(3) * v) + sum(diag_matrix(v) * v) + sum(rep_row_vector(a, 2) .* r);
  target += sum(to_vector(M) .* linspaced_vector(6, 1, 6)) + sum(to_row_vector(M)[2 : 3]) + sum(to_array_1d(M)[1 : 2]);
  target += to_matrix(v, 1, 3)[1, 2] + to_matrix(M, 3, 2)[3, 1] + to_matrix(to_array_1d(M), 3, 2)[2, 1];
  target += to_matrix(to_vector(M), 3, 2, 0)[2, 1] + to_matrix(v)[2, 1] + to_matrix(r)[1, 2] + to_matrix(as)[2, 1];
  target += to_matrix({r, r})[1, 2] + to_array_2d(M)[2, 3] + to_vector(as[1])[2] + to_row_vector(v)[1] + to_array_1d(as)[4];
  target += to_vector({1, 2})[2] * a + to_array_1d(r)[2] + sum(to_vector(linspaced_int_array(3, 1, 3)) .* v);
}
