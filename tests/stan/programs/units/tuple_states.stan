functions {
  tuple(real, vector) step_fn(tuple(real, vector) s, real y, real a) {
    real m = a * s.1 + (1 - a) * y;
    vector[2] v = s.2;
    v[1] = v[2] + m;
    v[2] *= 0.5;
    return (m, v);
  }
  tuple(real, real) meansd(vector x) {
    return (mean(x), sd(x));
  }
}
data {
  int N;
  vector[N] y;
  tuple(int, array[2] real) cfg;
  array[N] tuple(int, real) ev;
}
transformed data {
  real m0;
  real s0;
  (m0, s0) = meansd(y);
  array[N] tuple(int, real) ev2 = ev;
  for (n in 1 : N) 
    ev2[n].2 *= 2;
}
parameters {
  real<lower=0, upper=1> a;
  real<lower=0> s;
  tuple(real, vector<lower=0>[2]) q;
}
model {
  tuple(real, vector[2]) st = (m0, [0, 1]');
  for (n in 1 : N) {
    st = step_fn(st, y[n], a);
    if (ev[n].1 > 1) {
      st.1 += ev2[n].2 * q.1;
      st.2[ev[n].1 - 1] += 0.1 * q.2[1];
    }
    y[n] ~ normal(st.1 + 0.1 * st.2[1], s);
  }
  q.1 ~ normal(cfg.2[1], cfg.2[2]);
  q.2 ~ exponential(cfg.1);
  s ~ exponential(1);
}

