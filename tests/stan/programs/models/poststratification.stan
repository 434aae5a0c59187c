// survey answers by region, age and education, with a region-level predictor
data {
  int<lower=1> N;
  int<lower=1> R;
  int<lower=1> A;
  int<lower=1> E;
  array[N] int<lower=0, upper=1> y;
  array[N] int<lower=1, upper=R> region;
  array[N] int<lower=1, upper=A> age;
  array[N] int<lower=1, upper=E> education;
  vector[N] female;
  vector[R] income;
}
parameters {
  real<lower=0> sigma_r;
  real<lower=0> sigma_a;
  real<lower=0> sigma_ae;
  real alpha;
  real beta_f;
  real beta_i;
  vector<multiplier=sigma_r>[R] a_r;
  vector<multiplier=sigma_a>[A] a_a;
  matrix[A, E] a_ae_raw;
}
transformed parameters {
  matrix[A, E] a_ae = sigma_ae * a_ae_raw;
}
model {
  vector[N] eta;
  for (n in 1 : N) {
    eta[n] = alpha + beta_f * female[n] + a_r[region[n]] + a_a[age[n]] + a_ae[age[n], education[n]];
  }
  y ~ bernoulli_logit(eta);
  a_r ~ normal(beta_i * income, sigma_r);
  a_a ~ normal(0, sigma_a);
  to_vector(a_ae_raw) ~ std_normal();
  {sigma_r, sigma_a, sigma_ae} ~ normal(0, 1);
  {alpha, beta_f, beta_i} ~ normal(0, 2);
}
