// early returns inside loops and branches, on data and on parameters
functions {
  int first_above(vector x, real limit) {
    for (i in 1 : num_elements(x)) {
      if (x[i] > limit)
        return i;
    }
    return 0;
  }
  real piecewise(real x) {
    if (x < -1)
      return -x - 0.5;
    if (x < 1) {
      return 0.5 * x ^ 2;
    }
    return x - 0.5;
  }
  real row_score(array[] int y, real a) {
    real acc = 0;
    for (i in 1 : size(y)) {
      if (y[i] == 9)
        return acc;
      acc += y[i] * a;
    }
    return acc + 100 * a;
  }
  void add_until_lp(vector x, int n) {
    for (i in 1 : num_elements(x)) {
      if (i > n)
        return;
      target += -0.5 * x[i];
    }
  }
  real forever(real x) {
    int k = 0;
    while (1) {
      k += 1;
      if (k > 3)
        return k * x;
    }
  }
}
data {
  vector[4] x;
  array[3, 4] int y;
}
parameters {
  real a;
  vector[4] v;
}
model {
  target += -a ^ 2 * first_above(x, 0.3) + a * first_above(x, 9);
  for (i in 1 : 4)
    target += -piecewise(v[i]) - piecewise(x[i] * a) - 0.1 * piecewise(2.5 * i);
  for (i in 1 : 3)
    target += 0.01 * row_score(y[i], a);
  add_until_lp(v, 2);
  target += -0.1 * square(forever(a));
}
