// functions with jumps and kinks, away from them
data {
  int k;
}
parameters {
  real x;
  real y;
}
transformed parameters {
  vector[10] f;
  f[1] = step(x) + int_step(k);
  f[2] = floor(x + 0.3) + ceil(y) + round(3 * x) + trunc(4 * y);
  f[3] = is_inf(x) + is_nan(y) + is_inf(positive_infinity()) + is_nan(not_a_number());
  f[4] = abs(k) + abs(x - y) + sqrt(square(x));
  f[5] = fmin(x, y) * fmax(x, y) + fmax(x, k);
  f[6] = max(k, 3) + min({k, 2, 7}) + max([x, y]) - min([x, y, 0.1]') + max({x, y});
  f[7] = logical_and(k, 1) + logical_eq(k, 4) + logical_gt(x, -9) + logical_neq(2, 3) + logical_negation(k);
  f[8] = k %/% 3 + k % 3 + -k %/% 3 + modulus(k, 3) + divide(k, 3) + choose(k, 2);
  f[9] = machine_precision() * 1e16 + (x > y ? x : y);
  f[10] = minus(x) + plus(y) + add(x, k) + subtract(x, y) + multiply(x, y) + divide(x, 2.0) + pow(k, 2);
}
model {
  f ~ normal(0, 10);
  {x, y} ~ normal(0, 1);
}
