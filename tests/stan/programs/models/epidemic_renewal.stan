data {
  int D;
  array[D] int cases;
  real pop;
  int<lower=1> ninterv;
  array[ninterv] int t_int;
  vector[D] si;
}
parameters {
  vector<lower=0>[ninterv + 1] R;
  real<lower=0> y0;
  real<lower=0> phi;
  real<lower=0, upper=1> ifr;
}
transformed parameters {
  vector[D] prediction = rep_vector(0, D);
  vector[D] Rt;
  vector[D] cumm = rep_vector(0, D);
  vector[D] E = rep_vector(0, D);
  {
    int k = 1;
    for (i in 1 : D) {
      while (k <= ninterv) {
        if (i < t_int[k]) 
          break;
        k += 1;
      }
      Rt[i] = R[k];
    }
  }
  prediction[1 : 3] = rep_vector(y0, 3);
  cumm[2 : 3] = cumulative_sum(prediction[2 : 3]);
  for (i in 4 : D) {
    real convolution = 0;
    for (j in 1 : (i - 1)) 
      convolution += prediction[j] * si[i - j];
    cumm[i] = cumm[i - 1] + prediction[i - 1];
    prediction[i] = fmax((pop - cumm[i]) / pop, 0) * Rt[i] * convolution;
  }
  E[1] = 1e-9;
  for (i in 2 : D) {
    E[i] = ifr
           * dot_product(head(prediction, i - 1), reverse(head(si, i - 1)));
  }
}
model {
  R ~ normal(1.5, .5);
  y0 ~ exponential(0.1);
  phi ~ normal(0, 5);
  ifr ~ beta(2, 20);
  for (i in 3 : D) 
    cases[i] ~ neg_binomial_2(E[i] + 1e-6, phi + 1e-3);
}

