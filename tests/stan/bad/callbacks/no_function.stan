transformed data {
  vector[1] y = solve_newton([1]', [1]');
}
