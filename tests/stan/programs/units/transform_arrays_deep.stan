// order of elements: arrays of arrays of vectors and matrices
data {
  int<lower=1> I;
  int<lower=1> J;
}
parameters {
  array[I, J] vector[2] v;
  array[I] matrix[2, 3] M;
  array[J, I, 2] real<lower=0> a;
  array[I] row_vector<lower=0, upper=1>[2] r;
}
model {
  for (i in 1 : I) {
    for (j in 1 : J) {
      v[i, j] ~ normal(10 * i + j, [1, 2]');
      a[j, i] ~ normal(i, j);
    }
    to_vector(M[i]) ~ normal(linspaced_vector(6, i, 6), 1);
    r[i] ~ beta(i, 2);
  }
}
generated quantities {
  array[J, I] vector[2] swapped;
  for (i in 1 : I) {
    for (j in 1 : J) {
      swapped[j, i] = v[i, j] + a[j, i, 1];
    }
  }
}
