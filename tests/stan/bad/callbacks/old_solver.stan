functions {
  vector f(vector y, vector theta) {
    return y - theta;
  }
}
transformed data {
  vector[1] y = algebra_solver(f, [1]', [1]', {0.0}, {0});
}
