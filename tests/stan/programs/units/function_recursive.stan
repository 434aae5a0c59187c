functions {
  real chebyshev(int n, real x) {
    if (n == 0)
      return 1;
    if (n == 1)
      return x;
    return 2 * x * chebyshev(n - 1, x) - chebyshev(n - 2, x);
  }
  int is_even(int n) {
    return n == 0 ? 1 : is_odd(n - 1);
  }
  int is_odd(int n) {
    return n == 0 ? 0 : is_even(n - 1);
  }
  real tree_sum(vector x) {
    int n = rows(x);
    int half = n %/% 2;
    if (n == 1) {
      return x[1];
    }
    return tree_sum(head(x, half)) + log_sum_exp(x[half + 1], tree_sum(tail(x, n - half)));
  }
  int gcd(int a, int b) {
    int u = a;
    int v = b;
    while (v != 0) {
      int t = v;
      v = u % v;
      u = t;
    }
    return u;
  }
}
data {
  int n;
}
parameters {
  real<lower=-1, upper=1> x;
  vector[5] v;
}
model {
  for (k in 0 : n)
    target += chebyshev(k, x) / (k + 1);
  target += is_even(n) * x - square(tree_sum(v)) + gcd(n * 6, 21) * x;
  v ~ normal(0, 1);
}
