data {
  vector[4] y;
  array[4] int k;
}
parameters {
  vector[4] v;
  matrix[2, 3] M;
  array[3] real a;
}
transformed parameters {
  vector[19] f;
  f[1] = sum(v) + sum(M) + sum(a) + sum(k) + sum(v');
  f[2] = prod(v) + prod(M) + prod(a) + prod(k);
  f[3] = mean(v) + mean(M) + mean(a) + mean(y) + mean(v');
  f[4] = variance(v) + sd(M) + sd(a) + variance(a) + sd(y);
  f[5] = min(v) + max(M) + min(a) + max(k) - min(M);
  f[6] = log_sum_exp(v) + log_sum_exp(M) + log_sum_exp(a) + log_sum_exp({1.0, 2.0});
  f[7] = norm1(v) + norm2(v) + norm1(a) + norm2(v');
  f[8] = dot_product(v, y) + dot_self(v) + dot_product(v', y) + dot_product(a, {1, 2, 3}) + dot_self(y);
  f[9] = distance(v, y) + squared_distance(v, y) + squared_distance(v', y') + distance(v', v);
  f[10] = sum(cumulative_sum(v)) + cumulative_sum(a)[2] + cumulative_sum(k)[3] + cumulative_sum(v')[4];
  f[11] = sum(columns_dot_product(M, M + 1)) + sum(columns_dot_self(M));
  f[12] = sum(rows_dot_product(M, M + 1)) + sum(rows_dot_self(M)) + dot_self(columns_dot_self(v'));
  f[13] = sum(softmax(v)) + softmax(v)[2] + log_softmax(v)[1] + quantile(y, 0.3) + quantile(y, {0.1, 0.9})[2];
  f[14] = rank(v, 2) + rank(k, 1) + num_elements(M) + size(v) + rows(M) * cols(M) + size({k, k});
  f[15] = sort_asc(v)[2] - sort_desc(v)[1] + sort_asc(a)[1] + sort_desc(k)[1] + sort_asc(v')[4];
  f[16] = v[sort_indices_asc(v)[1]] + a[sort_indices_desc(a)[3]] + sort_indices_asc(k)[2];
  f[17] = sum(dims(M)) + dims({v, v})[1] + dims(k)[1] + log_sum_exp([1e3 + v[1], 1e3]) - log_sum_exp(-900, v[2] - 900);
  f[18] = mean({1, 2, 4}) + sd([3.0]) + prod(rep_vector(1, 0)) + sum(rep_vector(1, 0)) + log_sum_exp([v[1]]);
  f[19] = max(v) - max(v') + reverse(v)[1] + reverse(a)[1] + reverse(k)[2] + variance([v[1], 2, 3]);
}
model {
  f ~ normal(linspaced_vector(19, -1, 2), 10);
  v ~ normal(0, 1);
  to_vector(M) ~ normal(0, 1);
  a ~ normal(0, 1);
}
