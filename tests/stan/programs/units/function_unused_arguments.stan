// data-only arguments, shadowed names and functions over empty containers
functions {
  real weigh(data vector w, vector x, data int k) {
    return dot_product(w, x) ^ k;
  }
  real mu(real sigma) {
    real y = sigma * 2;
    {
      real z = y;
      y = z + 1;
    }
    return y;
  }
  real total(vector x) {
    return num_elements(x) == 0 ? 0.5 : sum(x);
  }
  vector pick(array[] int which, vector x) {
    return x[which];
  }
}
data {
  vector[3] w;
  array[0] int none;
}
parameters {
  real sigma;
  vector[3] x;
}
model {
  real y = mu(sigma);
  target += -square(weigh(w, x, 2)) * 0.1 - square(y);
  target += total(x) * total(pick(none, x)) + sum(pick({3, 1}, x));
  x ~ normal(0, 1);
}
