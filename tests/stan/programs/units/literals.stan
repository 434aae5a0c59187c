// numbers, containers and strings as they may be written
parameters {
  real x;
}
transformed parameters {
  real a = 1.5e2 + .5 + 2. + 1e-3 + 3E+1 + 1_000 + 0.1_5 + 007;
  vector[3] v = [1, x, 2.5]';
  row_vector[2] r = [x, -x];
  matrix[2, 2] M = [[1, x], [x ^ 2, 3]];
  array[2] real as = {x, 1};
  array[2] vector[2] vs = {[1, x]', [2, 3]'};
  array[2] row_vector[2] rs = {[1, x], r};
  complex z = 3i + 1.5e1i * x;
  matrix[2, 3] N = [[1, 2, 3], [x, x, x]];
}
model {
  array[2, 2] int table = {{1, 2}, {3, 4}};
  tuple(real, int, array[2] int) t = (x, 3, {1, 2});
  array[1] tuple(int, real) ts = {(1, x)};
  target += -a * x ^ 2 - dot_self(v) - sum(r) - sum(M) * 0.1 - as[1] + table[2, 1] * x;
  target += vs[1, 2] - rs[1, 2] * 2 - norm(z) + N[2, 3] - t.1 * t.2 + t.3[2] * ts[1].2;
  print("x = ", x, "; a \ quoted? 'no'", " v = ", v, t);
}
