parameters {
  vector[2] mu;
}
model {
  mu ~ multi_normal([0, 0]', identity_matrix(2)) T[0, ];
}
