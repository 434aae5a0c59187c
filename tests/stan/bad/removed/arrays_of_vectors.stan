data {
  int N;
  vector<lower=0>[3] y[N];
}
