functions {
  real my_sum(array[] real x, int i) {
    if (i == 0) 
      return 0;
    return x[i] + my_sum(x, i - 1);
  }
  real my_sum(vector x) {
    return my_sum(to_array_1d(x), num_elements(x));
  }
  void prior_lp(real a, vector b) {
    a ~ normal(0, 1);
    target += -my_sum(square(b));
    if (a > 0.5) 
      target += log1m(inv_logit(a));
  }
  vector nc_lp(vector raw, real mu, real s) {
    raw ~ std_normal();
    return mu + s * raw;
  }
  array[] vector split(vector x, array[] int sz) {
    array[2] vector[sz[1]] o;
    int p = 1;
    for (i in 1 : 2) {
      for (j in 1 : sz[i]) {
        o[i][j] = x[p];
        p += 1;
      }
    }
    return o;
  }
  matrix mk(vector a, int k) {
    matrix[size(a), k] M;
    M[ : , 1] = a;
    for (j in 2 : k) {
      M[ : , j] = M[ : , j - 1] .* a;
    }
    return M;
  }
  int count_if(array[] int x, int v) {
    int n = 0;
    for (e in x) {
      if (e != v) 
        continue;
      n += 1;
    }
    return n;
  }
  real trunc_pois_lpmf(int y, real l) {
    if (y == 0) 
      return negative_infinity();
    return poisson_lpmf(y | l) - log1m_exp(-l);
  }
  real trunc_pois_lpmf(array[] int y, vector l) {
    real s = 0;
    for (i in 1 : size(y)) 
      s += trunc_pois_lpmf(y[i] | l[i]);
    return s;
  }
}
data {
  int N;
  array[N] int<lower=1> y;
  vector[N] x;
  array[2] int sz;
}
transformed data {
  array[count_if(y, 1)] int ones;
  {
    int p = 0;
    for (n in 1 : N) 
      if (y[n] == 1) {
        p += 1;
        ones[p] = n;
      }
  }
}
parameters {
  real a;
  vector[4] b;
  vector[N] raw;
  real<lower=0> s;
}
transformed parameters {
  vector[N] eta = mk(x, 4) * b;
  array[2] vector[sz[1]] sp = split(b, sz);
}
model {
  prior_lp(a, b);
  vector[N] u = nc_lp(raw, a, s);
  s ~ cauchy(0, 1) T[0.01, 20];
  y ~ trunc_pois(exp(0.1 * eta + u));
  sp[2] ~ normal(sp[1], 1);
  for (i in ones) 
    target += -0.1 * u[i] ^ 2;
}

