// integer arithmetic, logic and comparisons, with their precedence
data {
  int a;
  int b;
  array[5] int k;
}
transformed data {
  int q = a %/% b;
  int m = -a % b;
  int chain = (a > b) == 1;
  int logic = a > 3 && b < 0 || !(a == 7);
  int neg = -2 ^ 2 > 0;
  int power_ = to_int(2 ^ 3 ^ 2);
  int minus_ = 10 - 4 - 3 + 5 * 3 %/% 2 * 7;
  int mixed = 7 + 3 * 2 - 8 %/% 3 % 2;
  real quotient = a / 2.0 / b;
  real negated = -2 ^ 2;
  int sum_ = sum(k) + min(k) * max(k);
  int found = 0;
  for (i in 1 : 5)
    found += k[i] >= 2 && k[i] <= 4;
}
parameters {
  real x;
}
model {
  x ~ normal(q + m + chain + logic + neg, power_ * 0.01);
  target += -x ^ 2 * minus_ - x * mixed + quotient * x + negated * x;
  target += -(x > a) - (x <= 0.5) * 2 - (x != b) + sum_ * x + found * x;
  target += !(x > 1) - (x > 0 || x < -1);
  target += +x - -x + - - x;
}
