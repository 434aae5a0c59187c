// Multinomial logistic regression as a Poisson log-linear model: food of alligators by lake and
// size, with a free level for each combination of these two.
data {
  int<lower=2> lakes;
  int<lower=2> sizes;
  int<lower=2> foods;
  array[lakes, sizes, foods] int<lower=0> count;
}
parameters {
  matrix[lakes, sizes] level;
  vector[foods - 1] base;
  matrix[lakes - 1, foods - 1] by_lake;
  matrix[sizes - 1, foods - 1] by_size;
}
model {
  to_vector(level) ~ normal(0, 10);
  base ~ normal(0, 10);
  to_vector(by_lake) ~ normal(0, 10);
  to_vector(by_size) ~ normal(0, 10);
  for (i in 1:lakes) {
    for (j in 1:sizes) {
      vector[foods] eta = rep_vector(level[i, j], foods);
      eta[2:foods] += base;
      if (i > 1) {
        eta[2:foods] += by_lake[i - 1]';
      }
      if (j > 1) {
        eta[2:foods] += by_size[j - 1]';
      }
      count[i, j] ~ poisson_log(eta);
    }
  }
}
