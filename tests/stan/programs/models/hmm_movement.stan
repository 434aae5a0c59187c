data {
  int T;
  int N;
  array[T] int ID;
  vector[T] steps;
  vector[T] angles;
  int nCov;
  matrix[T, nCov + 1] cov;
}
parameters {
  ordered[N] mu_log;
  vector<lower=0>[N] sigma;
  vector[N] xa;
  vector[N] ya;
  matrix[N * (N - 1), nCov + 1] beta;
}
transformed parameters {
  vector<lower=0>[N] shape;
  vector<lower=0>[N] rate;
  vector<lower=-pi(), upper=pi()>[N] loc;
  vector<lower=0>[N] kappa;
  vector<lower=0>[N] mu = exp(mu_log);
  for (n in 1 : N) {
    shape[n] = mu[n] * mu[n] / (sigma[n] * sigma[n]);
    rate[n] = mu[n] / (sigma[n] * sigma[n]);
    loc[n] = atan2(ya[n], xa[n]);
    kappa[n] = sqrt(xa[n] * xa[n] + ya[n] * ya[n]);
  }
}
model {
  vector[N] logp;
  vector[N] logptemp;
  array[T] matrix[N, N] gamma;
  array[T] matrix[N, N] log_gamma;
  array[T] matrix[N, N] log_gamma_tr;
  mu_log ~ normal(0, 2);
  sigma ~ student_t(3, 0, 1);
  xa ~ normal(0, 2);
  ya ~ normal(0, 2);
  to_vector(beta) ~ normal(0, 1);
  for (t in 1 : T) {
    int betarow = 1;
    for (i in 1 : N) 
      for (j in 1 : N) {
        if (i == j) 
          gamma[t, i, j] = 1;
        else {
          gamma[t, i, j] = exp(beta[betarow] * to_vector(cov[t]));
          betarow = betarow + 1;
        }
      }
    for (i in 1 : N) 
      log_gamma[t][i] = log(gamma[t][i] / sum(gamma[t][i]));
  }
  for (t in 1 : T) 
    for (i in 1 : N) 
      for (j in 1 : N) 
        log_gamma_tr[t, j, i] = log_gamma[t, i, j];
  for (t in 1 : T) {
    if (t == 1) 
      logp = rep_vector(-log(N), N);
    else if (ID[t] != ID[t - 1]) {
      target += log_sum_exp(logp);
      logp = rep_vector(-log(N), N);
    }
    for (n in 1 : N) {
      logptemp[n] = log_sum_exp(to_vector(log_gamma_tr[t, n]) + logp);
      if (steps[t] >= 0) 
        logptemp[n] = logptemp[n] + gamma_lpdf(steps[t] | shape[n], rate[n]);
      if (angles[t] >= -pi()) 
        logptemp[n] = logptemp[n]
                      + von_mises_lpdf(angles[t] | loc[n], kappa[n]);
    }
    logp = logptemp;
    if (t == T) 
      target += log_sum_exp(logp);
  }
}

