// pupils in classes in schools; the class index tells its school
data {
  int<lower=1> N;
  int<lower=1> C;
  int<lower=1> S;
  array[N] int<lower=1, upper=C> class_;
  array[C] int<lower=1, upper=S> school;
  vector[N] y;
}
parameters {
  real mu;
  vector[S] school_effect;
  vector[C] class_effect;
  vector<lower=0>[3] sd_;
}
model {
  mu ~ normal(0, 5);
  sd_ ~ exponential(1);
  school_effect ~ normal(mu, sd_[1]);
  class_effect ~ normal(school_effect[school], sd_[2]);
  for (n in 1 : N) {
    target += normal_lpdf(y[n] | class_effect[class_[n]], sd_[3]);
  }
}
