// operators between containers, with their precedence and broadcasting
data {
  matrix[3, 3] A;
}
parameters {
  vector[3] v;
  row_vector[3] r;
  matrix[3, 3] M;
  real a;
}
model {
  target += r * v + (r * M) * v - sum(v * r);
  target += sum(A * M * v) - sum(r * A') + sum(M' * A);
  target += sum(v .* v ./ (v ^ 2 + 1)) - sum(M .* A ./ 2.5);
  target += -sum(2 ^ v) * 0.1 + sum(v .^ 2) - sum(M .^ 2) - sum(exp(a) ^ r);
  target += sum(a + v - 1) - sum(3 / exp(M)) * 0.1 + sum(-M) + sum(a * M * 2);
  target += sum(A \ v) - sum(r / (A + 5 * identity_matrix(3)));
  target += sum(v' + r) + (v')[2] - (-v)[3] + sum([a, 1, 2] + r);
  target += -a ^ 2 * 3 + 2 * a ^ 2 / 4 - a * -3;
  target += sum(1 - v) + sum(1 ./ exp(r)) - sum(v ./ 2) + sum(M + a) + sum([[a, 1], [2, a]]);
  target += -dot_self(v) - dot_self(r) - sum(square(M));
}
