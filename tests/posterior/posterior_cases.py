"""Models whose posteriors the tests look at."""

from __future__ import annotations

EVERYTHING = """
data { int N; vector[N] x; vector[N] y; }
parameters { real a; real b; real<lower=0> s; simplex[3] p; matrix[2, 3] m; array[2] vector[2] v; }
transformed parameters { vector[N] mu = a + b * x; complex z = to_complex(a, b); }
model {
  a ~ normal(0, 1); b ~ normal(0, 1); s ~ exponential(1);
  p ~ dirichlet([2, 3, 4]'); to_vector(m) ~ std_normal();
  for (i in 1:2) v[i] ~ normal(i, 2);
  y ~ normal(mu, s);
}
generated quantities {
  vector[N] log_lik; array[N] real y_rep = normal_rng(mu, s); int positive = b > 0;
  tuple(real, vector[2]) pair = (a, [a, b]');
  for (n in 1:N) log_lik[n] = normal_lpdf(y[n] | mu[n], s);
}
"""


CORRELATION = 0.4


def correlated(theta: dict[str, object]) -> object:
    """A Gaussian with means (1, -2), unit variances and a correlation."""
    import jax.numpy as jnp

    x, y = theta["x"] - 1.0, theta["y"] + 2.0  # pyright: ignore
    inside = (x * x - 2 * CORRELATION * x * y + y * y) / (1 - CORRELATION**2)
    return -0.5 * inside - jnp.log(2 * jnp.pi) - 0.5 * jnp.log(1 - CORRELATION**2)
