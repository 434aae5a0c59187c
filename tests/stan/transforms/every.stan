// Every transform, in scalars, arrays and tuples. The density is that of the transforms alone.
data {
  vector[4] low;
  vector[4] high;
  array[2] vector[3] centre;
  array[2] vector[3] scale;
}
parameters {
  real free_real;
  array[2] matrix[2, 3] free_matrix;
  real<lower=-1.5> lower_real;
  array[2, 2] real<upper=2> upper_array;
  matrix<lower=-1, upper=3>[3, 2] bounded_matrix;
  vector<lower=low>[4] lower_vector;
  vector<upper=high>[4] upper_vector;
  vector<lower=low, upper=high>[4] bounded_vector;
  array[2] vector<offset=centre, multiplier=scale>[3] affine_array;
  vector<offset=1.5>[2] offset_vector;
  vector<multiplier=2.5>[2] multiplier_vector;
  array[2] ordered[4] ordered_array;
  positive_ordered[3] positive_ordered_vector;
  ordered[1] ordered_single;
  array[2] simplex[5] simplex_array;
  simplex[2] simplex_pair;
  simplex[1] simplex_single;
  array[2, 2] unit_vector[3] unit_array;
  cholesky_factor_corr[2] cholesky_corr_2;
  array[2] cholesky_factor_corr[4] cholesky_corr_array;
  cholesky_factor_cov[3] cholesky_cov_square;
  cholesky_factor_cov[5, 3] cholesky_cov_tall;
  array[2] cholesky_factor_cov[2] cholesky_cov_array;
  corr_matrix[2] corr_2;
  array[2] corr_matrix[4] corr_array;
  cov_matrix[1] cov_1;
  array[2] cov_matrix[3] cov_array;
  complex complex_scalar;
  array[2] complex_matrix[2, 3] complex_array;
  tuple(real<lower=0>, array[2] simplex[3], cov_matrix[2]) pair;
  array[2, 3] tuple(real<upper=1>, tuple(vector<lower=0, upper=1>[2], real)) nested;
  real<lower=free_real> above;
  real<lower=free_real, upper=free_real + 2> between;
  vector<offset=free_real, multiplier=lower_real + 2>[2] shifted;
}
