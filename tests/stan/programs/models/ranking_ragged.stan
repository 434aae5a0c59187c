functions {
  real pl_lpmf(array[] int ranking, vector theta) {
    real out = 0;
    int K = num_elements(ranking);
    for (k in 1 : (K - 1)) 
      out += theta[ranking[k]] - log_sum_exp(theta[ranking[k : ]]);
    return out;
  }
}
data {
  int J;
  int N;
  int L;
  array[N] int len;
  array[L] int r;
}
parameters {
  vector[J - 1] th;
  real<lower=0> s;
}
transformed parameters {
  vector[J] theta = append_row(0, th);
  theta -= mean(theta);
}
model {
  int pos;
  pos = 1;
  for (n in 1 : N) {
    segment(r, pos, len[n]) ~ pl(s * theta);
    pos = pos + len[n];
  }
  th ~ normal(0, 1);
  s ~ lognormal(0, .5);
}

