functions {
  real add_up(real a, real b) {
    return a + b;
  }
  vector scaled(vector x, real by) {
    vector[num_elements(x)] out;
    for (i in 1 : num_elements(x)) {
      out[i] = x[i] * by;
      by_index(out, i);
    }
    return out;
  }
  void by_index(vector v, int i) {
    if (v[i] > 1e6)
      print("large");
  }
  matrix outer(vector a, row_vector b) {
    return a * b;
  }
  array[] real spread(real x, int n) {
    array[n] real result;
    for (i in 1 : n)
      result[i] = x ^ i;
    return result;
  }
  int half(int k) {
    return k %/% 2;
  }
  real nothing_but_loop(array[] vector xs) {
    real acc = 0;
    for (x in xs) {
      acc += dot_self(x);
    }
    return acc;
  }
}
data {
  int N;
}
parameters {
  real a;
  vector[N] v;
  array[2] vector[N] vs;
}
model {
  target += -square(add_up(a, 1)) - dot_self(scaled(v, a)) - sum(square(outer(v, v' + 1)));
  target += -sum(spread(a, half(N + 3))) * 0.01 - nothing_but_loop(vs) - add_up(1, 2) * a ^ 2;
  v ~ normal(0, 1);
}
