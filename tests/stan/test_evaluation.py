"""Loops as lanes and scans against one iteration after another, for shapes that went wrong once."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from trustvi.stan._eval import stage
from trustvi.stan._model import StanModel

N = 24
RNG = np.random.default_rng(3)
GROUPS = np.repeat(np.arange(1, 4), N // 3)
DATA: dict[str, Any] = {
    "N": N,
    "g": GROUPS.tolist(),
    "b": RNG.integers(0, 2, N).tolist(),
    "next": np.roll(np.arange(1, N + 1), 5).tolist(),
    "y": RNG.normal(size=N).round(3).tolist(),
}
HEAD = """
functions {
  vector decay(real t, vector y, real rate) { return -rate * y; }
  vector root(vector x, real a, real b) { return [exp(x[1]) - square(a) - exp(b)]'; }
}
data {
  int N;
  array[N] int g;
  array[N] int b;
  array[N] int next;
  vector[N] y;
}
"""
PROGRAMS = {
    "a state begun again for each group": """
parameters { real<lower=0, upper=1> rate; real a; }
model {
  real v = 0;
  for (n in 1:N) {
    if (n == 1 || g[n] != g[n - 1]) v = 0;
    b[n] ~ bernoulli_logit(a + v);
    v += rate * (y[n] - v);
  }
}""",
    "several states, begun again from parameters": """
parameters { vector[2] start; vector<lower=0, upper=1>[3] rate; }
model {
  vector[2] q;
  vector[2] last;
  real h = 1;
  for (n in 1:N) {
    if (n == 1) { q = start; last = rep_vector(0, 2); }
    else if (g[n] != g[n - 1]) { q = start * rate[g[n]]; last[1] = 0; }
    b[n] + 1 ~ categorical_logit(q + last);
    last[b[n] + 1] = 1;
    last[2 - b[n]] = q[1];
    q[b[n] + 1] += rate[g[n]] * (y[n] - q[b[n] + 1]);
    h = 0.5 * h + q[2];
    target += h;
  }
}""",
    "starts written before the loop and within": """
parameters { vector[3] h0; real<lower=0, upper=1> rate; }
model {
  vector[N] h;
  for (j in 1:3) h[(j - 1) * N %/% 3 + 1] = h0[j];
  for (n in 1:N) {
    int first = n == 1 || g[n] != g[max(1, n - 1)];
    if (first) h[n] = 2 * h0[g[n]];
    if (!first) h[n] = rate * h[n - 1] + y[n];
  }
  y ~ normal(h, 1);
}""",
    "an index that an iteration before has written": """
transformed data {
  array[N] int path;
  path[1] = 1;
  for (n in 2:N) path[n] = next[path[n - 1]];
}
parameters { vector[N] a; }
model {
  int at = 1;
  for (n in 1:N) {
    y[path[n]] ~ normal(a[at], n);
    at = next[at];
  }
}""",
    "while loops whose iterations can be counted": """
parameters { vector[3] a; real c; }
model {
  for (j in 1:3) {
    int i = 0;
    real z = a[j];
    real w = 0;
    while (i < 5 * j - 2 + b[j]) {
      z = 0.5 * z + c;
      w += square(z);
      i += 1;
    }
    y[j] ~ normal(z - w, 1 + i);
  }
  int n = N;
  real s = 0;
  while (n > 1) {
    n -= 1;
    if (n % 3 == 0) { s += c; continue; }
    s = 0.9 * s + a[g[n]] * y[n];
    y[n] ~ normal(s, 1);
  }
  int p = 1;
  while (p < 5000) {
    p *= 2;
    a[1 + p % 3] ~ normal(c * p, 2);
  }
  target += n + p;
}""",
    "added to and then scaled": """
parameters { real a; vector<lower=0, upper=1>[2] keep; }
model {
  real stock = 0;
  vector[2] other = [1, a]';
  for (n in 1:N) {
    stock += a * y[n];
    stock *= keep[1];
    for (j in 1:2) other[j] += 0.1 * y[n];
    other[2] *= keep[2];
  }
  target += stock + sum(other);
}""",
    "known values chosen by parameters within a scan": """
parameters { real a; }
model {
  real s = 0.3;
  for (n in 1:N) {
    real z;
    if (s > 0.2) z = y[n]; else z = y[next[n]];
    s = 0.5 * s + z + a;
    for (j in 1:g[n]) {
      real w;
      if (s > a) w = y[j]; else w = y[n];
      s = 0.9 * s + w + (s > y[j] ? y[n] : 0.2);
    }
  }
  target += s;
}""",
    "sums that a later iteration throws away": """
parameters { real a; vector[N] v; }
model {
  vector[3] u = rep_vector(0.1, 3);
  for (n in 1:N) {
    for (i in 1:3) u[i] += 0.2 * a;
    for (i in 1:3) { u[i] += v[n]; u[i] = a * i; }
  }
  target += sum(u);
}""",
    "elements that only some steps want, of a variable that others wrote": """
parameters { real a; vector[N] v; }
model {
  vector[N] w = v;
  for (n in 1:N) {
    int e = 1 + 7 * n * n % N;
    int z = e > 8 ? 4 : 2;
    for (i in e:N) target += 0.01 * a * mean(w);
    w[z] += 0.6;
  }
  target += w[2] * w[4];
}""",
    "a while loop and a permuted sum under a condition within a scan": """
parameters { real a; vector[N] v; }
model {
  vector[N] w = 0.5 * v;
  vector[N] u = rep_vector(0.1, N);
  real q = 0.2;
  for (n in 1:N) {
    if (a > q) {
      target += 0.1 * a;
    } else {
      int i = 0;
      while (i < g[n]) {
        i += 1;
        w[next] = 0.3 * v + 0.1 * a;
      }
    }
    q = u[next[n]] > 0.2 ? sqrt(u[next[n]]) : square(u[next[n]]);
    w[next[n]] += a > 0 ? 0.3 * sqrt(a) : square(a);
  }
  target += sum(w) + q;
}""",
    "sums over some elements that a branch has written before": """
parameters { real a; vector[3] v; }
model {
  vector[3] u = v;
  array[N] real w = rep_array(a, N);
  if (a > -5) {
    for (n in 1:N) y[n] ~ normal(a, 1);
    y[1] ~ normal(a, 2);
    u[2] = a;
    for (i in 1:3) u[i] += 0.3 * v[i];
    w[2] = v[1];
    for (n in 1:N) w[next[n]] += v[g[n]];
    u[2:3] *= 0.5;
  }
  target += sum(u) + square(w[2]) + w[3];
}""",
    "solutions for each subject from its own data": """
parameters { vector<lower=0>[3] rate; }
model {
  for (j in 1:3) {
    array[2] vector[1] z = ode_rk45(decay, [1 + square(y[j])]', 0, {0.5, 1}, rate[j]);
    target += normal_lpdf(y[j] | z[2, 1], 1) + z[1, 1];
    target += solve_newton(root, [0.5]', y[j], rate[j])[1];
  }
}""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_lanes_and_scans_are_as_one_iteration_after_another(name: str) -> None:
    model = StanModel(HEAD + PROGRAMS[name], DATA)
    theta = np.random.default_rng(0).normal(size=(model.param_unc_num(), 1))
    slow = stage(model._checked, model._read, 0, lanes=False)
    with jax.enable_x64(True):
        values, slope = model._parameters.constrain(theta)
        expected = slow.log_density(values, propto=False, jacobian=True) + slope
        found = jax.jit(model.log_density_batch)(jnp.asarray(theta))
    np.testing.assert_allclose(found, expected, rtol=1e-10)


def test_states_begun_again_are_one_scan_however_long() -> None:
    def equations(times: int) -> int:
        rows = {name: np.repeat(DATA[name], times).tolist() for name in ("g", "b", "next", "y")}
        program = HEAD + PROGRAMS["a state begun again for each group"]
        model = StanModel(program, rows | {"N": times * N})
        with jax.enable_x64(True):
            theta = jax.ShapeDtypeStruct((model.param_unc_num(), 1), np.float64)
            return str(jax.make_jaxpr(model.log_density_batch)(theta)).count(" = ")

    assert equations(1) == equations(4)


def test_indices_written_by_iterations_before_are_read_in_generated_quantities() -> None:
    """Viterbi's way back: wherever an iteration reads too early an index is out of range."""
    program = """
parameters { vector[3] a; }
generated quantities {
  array[5, 3] int back;
  array[5] int z;
  for (t in 1:5) for (k in 1:3) back[t, k] = 1 + (t * k + (a[k] > 0)) % 3;
  z[5] = 2;
  for (t in 1:4) z[5 - t] = back[6 - t, z[6 - t]];
}"""
    model = StanModel(program)
    a = np.array([0.3, -1.0, 2.0])
    values = model.param_constrain(a, include_gq=True, rng=model.new_rng(0))
    back = [[1 + (t * k + (a[k - 1] > 0)) % 3 for k in (1, 2, 3)] for t in range(1, 6)]
    z = [2]
    for t in range(5, 1, -1):
        z.insert(0, back[t - 1][z[0] - 1])
    np.testing.assert_array_equal(values[-5:], z)
