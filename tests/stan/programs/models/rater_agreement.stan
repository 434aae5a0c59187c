// true category of each item unknown; raters have confusion matrices (Dawid and Skene)
data {
  int<lower=1> J;
  int<lower=2> K;
  int<lower=1> N;
  int<lower=1> I;
  array[N] int<lower=1, upper=I> item;
  array[N] int<lower=1, upper=J> rater;
  array[N] int<lower=1, upper=K> rating;
}
parameters {
  simplex[K] pi_;
  array[J, K] simplex[K] theta;
}
transformed parameters {
  array[I] vector[K] log_q;
  log_q = rep_array(log(pi_), I);
  for (n in 1 : N) {
    for (k in 1 : K) {
      log_q[item[n], k] += log(theta[rater[n], k, rating[n]]);
    }
  }
}
model {
  pi_ ~ dirichlet(rep_vector(3, K));
  for (j in 1 : J) {
    for (k in 1 : K) {
      vector[K] prior_ = rep_vector(1, K);
      prior_[k] = 4;
      theta[j, k] ~ dirichlet(prior_);
    }
  }
  for (i in 1 : I) {
    target += log_sum_exp(log_q[i]);
  }
}
generated quantities {
  array[I] vector[K] posterior_;
  for (i in 1 : I)
    posterior_[i] = softmax(log_q[i]);
}
