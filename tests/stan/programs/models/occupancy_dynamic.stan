// colonisation and extinction between seasons
data {
  int<lower=1> R;
  int<lower=1> J;
  int<lower=2> K;
  array[R, J, K] int<lower=0, upper=1> y;
}
parameters {
  real<lower=0, upper=1> psi1;
  vector<lower=0, upper=1>[K - 1] phi;
  vector<lower=0, upper=1>[K - 1] gamma;
  vector<lower=0, upper=1>[K] p;
}
model {
  for (i in 1 : R) {
    vector[2] state = [psi1, 1 - psi1]';
    real lp = 0;
    for (k in 1 : K) {
      int detections = sum(y[i, : , k]);
      if (k > 1) {
        real occupied = state[1] * phi[k - 1] + state[2] * gamma[k - 1];
        state = [occupied, 1 - occupied]';
      }
      state[1] *= exp(binomial_lpmf(detections | J, p[k]));
      if (detections > 0)
        state[2] = 0;
      lp += log(sum(state));
      state /= sum(state);
    }
    target += lp;
  }
}
generated quantities {
  vector[K] psi;
  psi[1] = psi1;
  for (k in 2 : K)
    psi[k] = psi[k - 1] * phi[k - 1] + (1 - psi[k - 1]) * gamma[k - 1];
}
