// unary and binary functions over every container, nested arrays included
data {
  array[2] int k;
  matrix[2, 2] D;
}
parameters {
  vector<lower=0, upper=1>[3] v;
  matrix<lower=0>[2, 2] M;
  array[2, 2] real a;
  array[2] row_vector[3] r;
}
model {
  target += sum(exp(-v)) - sum(log(M)) + sum(square(to_array_1d(a))) * -1 + sum(sqrt(v'));
  array[2, 2] real t = inv_logit(a);
  array[2] row_vector[3] q = tanh(r);
  target += t[1, 2] * t[2, 1] - dot_self(q[2]) + sum(lgamma(M)) - sum(Phi(r[1]));
  target += sum(log(to_vector(k))) * v[1] + sum(sqrt(to_vector(k))) * v[2] + sum(exp(D)) * v[3];
  target += sum(pow(v, 2)) + sum(2 ^ v) * 0.1 + sum(fmax(v, 0.3)) - sum(lmultiply(v, v[3]));
  target += sum(to_vector(beta(v, 2))) * 0.1 + sum(hypot(r[1], r[2])) * -1;
  target += -sum(to_vector(pow(M, D))) * 0.1 + sum(atan2(a[1], 2)) + sum(lchoose(k, 1.5)) * v[2];
  target += sum(bessel_first_kind(k, v[1])) + sum(ldexp(v, 2)) - sum(fdim(M, 1));
  target += sum(log_sum_exp(v, 0.5)) - sum(to_vector(falling_factorial(v + 3, 2))) * 0.01;
  target += -dot_self(r[1]) - dot_self(r[2]) - sum(M);
}
