functions {
  real f(real x) {
    return x;
  }
  real f(int x) {
    return 10 * x;
  }
  real f(vector x) {
    return sum(x) * 2;
  }
  real f(row_vector x) {
    return sum(x) * 3;
  }
  real f(real x, real y) {
    return x * y;
  }
  real f(array[] real x) {
    return x[1];
  }
  real f(array[] int x) {
    return x[1] * 5;
  }
  real g(real x) {
    return f(x, 2) + f([x, 1]) + f([x, 1]');
  }
  real g(complex z) {
    return get_imag(z);
  }
}
data {
  array[2] int k;
}
parameters {
  real a;
  vector[2] v;
}
model {
  target += f(a) + f(3) + f(v) - f(v') + f(a, 2) - f(1, 1) + f(k) + f({a, 2.0}) - g(a) + g(1i);
  target += -square(f(f(a), f(v)));
  v ~ normal(f(2), f(3, 1));
  a ~ normal(0, 1);
}
