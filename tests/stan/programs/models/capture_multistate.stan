// two sites and death; forward algorithm for each animal, ragged in time
data {
  int<lower=1> I;
  int<lower=2> T;
  array[I, T] int<lower=1, upper=3> y;
  array[I] int<lower=1, upper=T> first;
}
parameters {
  vector<lower=0, upper=1>[2] phi;
  vector<lower=0, upper=1>[2] move;
  vector<lower=0, upper=1>[2] p;
}
transformed parameters {
  array[3] simplex[3] ps;
  array[3] simplex[3] po;
  ps[1] = [phi[1] * (1 - move[1]), phi[1] * move[1], 1 - phi[1]]';
  ps[2] = [phi[2] * move[2], phi[2] * (1 - move[2]), 1 - phi[2]]';
  ps[3] = [0, 0, 1]';
  po[1] = [p[1], 0, 1 - p[1]]';
  po[2] = [0, p[2], 1 - p[2]]';
  po[3] = [0, 0, 1]';
}
model {
  array[3] real acc;
  array[T] vector[3] gamma;
  for (i in 1 : I) {
    for (k in 1 : 3)
      gamma[first[i], k] = k == y[i, first[i]];
    for (t in (first[i] + 1) : T) {
      for (k in 1 : 3) {
        for (j in 1 : 3)
          acc[j] = gamma[t - 1, j] * ps[j, k] * po[k, y[i, t]];
        gamma[t, k] = sum(acc);
      }
    }
    target += log(sum(gamma[T]));
  }
}
