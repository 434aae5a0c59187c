functions {
  real credit_lpmf(int y, real theta, vector beta) {
    vector[rows(beta) + 1] unsummed = append_row(rep_vector(0.0, 1), theta - beta);
    vector[rows(beta) + 1] probs = softmax(cumulative_sum(unsummed));
    return categorical_lpmf(y + 1 | probs);
  }
}
data {
  int<lower=1> I;
  int<lower=1> J;
  int<lower=1> N;
  array[N] int<lower=1, upper=I> ii;
  array[N] int<lower=1, upper=J> jj;
  array[N] int<lower=0> y;
}
transformed data {
  array[I] int m = rep_array(0, I);
  array[I] int pos;
  for (n in 1 : N)
    if (y[n] > m[ii[n]])
      m[ii[n]] = y[n];
  pos[1] = 1;
  for (i in 2 : I)
    pos[i] = m[i - 1] + pos[i - 1];
}
parameters {
  vector[sum(m)] beta;
  vector[J] theta;
  real<lower=0> sigma;
}
model {
  beta ~ normal(0, 3);
  theta ~ normal(0, sigma);
  sigma ~ exponential(0.1);
  for (n in 1 : N)
    target += credit_lpmf(y[n] | theta[jj[n]], segment(beta, pos[ii[n]], m[ii[n]]));
}
