// cell probabilities of a cross in one parameter, and blood groups in a simplex
data {
  array[4] int<lower=0> cells;
  array[4] int<lower=0> blood;
}
parameters {
  real<lower=0, upper=1> psi;
  simplex[3] g;
}
transformed parameters {
  simplex[4] p = [0.5 + psi / 4, (1 - psi) / 4, (1 - psi) / 4, psi / 4]';
  simplex[4] q = [square(g[1]) + 2 * g[1] * g[3], square(g[2]) + 2 * g[2] * g[3],
                  2 * g[1] * g[2], square(g[3])]';
}
model {
  cells ~ multinomial(p);
  blood ~ multinomial(q);
  psi ~ beta(1.5, 1.5);
  g ~ dirichlet(rep_vector(1, 3));
}
