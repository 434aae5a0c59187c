"""Sums and densities of slices whose sizes differ by lane, against one iteration after another."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from test_leaving import slow_target
from test_programs import equations

from trustvi.stan._density import value_and_gradient
from trustvi.stan._diagnostics import StanRuntimeError
from trustvi.stan._model import StanModel

STATEMENTS = (
    "y[s[g]:e[g]] ~ normal(mu[g], 1);",
    "y[s[g]:e[g]] ~ normal(mu[g] + X[s[g]:e[g]] * b, exp(b[1]));",
    "segment(v, s[g], n[g]) ~ student_t(4, mu[g], 1.5);",
    "c[s[g]:e[g]] ~ poisson_log(mu[g] + v[s[g]:e[g]] .* to_vector(M[2, s[g]:e[g]]));",
    "c[s[g]:e[g]] ~ categorical(softmax(append_row(b, mu[g])));",
    "Y[s[g]:e[g]] ~ multi_normal(b, S);",
    "y[order[s[g]:e[g]]] ~ normal(v[s[g]:e[g]], rep_vector(1 + mu[g]^2, n[g]));",
    "target += 0.5 * normal_lupdf(head(v, n[g]) | reverse(tail(y, n[g])), 2);",
    "target += normal_lccdf(y[s[g]:e[g]] | mu[g], 1 + inv_logit(v[s[g]:e[g]]));",
    "target += square(sum(v[s[g]:e[g]] .* y[s[g]:e[g]]) / 3);",
    "target += sum(c[s[g]:e[g]]) * mu[g];",
    "if (n[g] > 0) target += (max(c[s[g]:e[g]]) - min(c[order[s[g]:e[g]]])) * mu[g]^2;",
    "target += dot_product(v[s[g]:e[g]], y[s[g]:e[g]]') - dot_self(M[1, s[g]:e[g]]);",
    "target += tanh(prod(1 + 0.1 * v[s[g]:e[g]]));",
    "if (n[g] > 0) target += square(mean(-v[s[g]:e[g]]));",
    "if (n[g] > 0) target += log_sum_exp(mu[g] + M[1][s[g]:e[g]]);",
    "if (n[g] > 0) target += min(v[s[g]:e[g]] / 2) - max(exp(v[s[g]:e[g]]));",
    "if (mu[g] > 0) target += sum(log1p_exp(v[s[g]:e[g]])); else target += mean(y[1:n[g] + 1]);",
    "{ vector[2] w = mu[g] * b; y[s[g]:e[g]] ~ normal(X[s[g]:e[g]] * w, 1); }",
    "r = 0.5 * r + 0.1 * dot_product(v[s[g]:e[g]], y[s[g]:e[g]]); target += sin(r);",
)
HEAD = """
data {
  int G; int N;
  array[G] int n; array[G] int s; array[G] int e;
  vector[N] y; matrix[N, 2] X; array[N] int c; array[N] int order; array[N] vector[2] Y;
}
transformed data { matrix[2, 2] S = [[2, 0.3], [0.3, 1]]; }
parameters { vector[G] mu; vector[2] b; vector[N] v; matrix[2, N] M; }
"""


def groups(count: int) -> dict[str, Any]:
    """Groups of 0 to `count` rows each."""
    rng = np.random.default_rng(2)
    sizes = np.arange(count + 1)[::-1]
    rows = int(sizes.sum())
    ends = np.cumsum(sizes)
    return {
        "G": len(sizes),
        "N": rows,
        "n": sizes,
        "s": ends - sizes + 1,
        "e": ends,
        "y": rng.normal(size=rows),
        "X": rng.normal(size=(rows, 2)),
        "c": rng.integers(1, 4, rows),
        "order": rng.permutation(rows) + 1,
        "Y": rng.normal(size=(rows, 2)),
    }


def model_of(statements: str, count: int) -> StanModel:
    loop = f"model {{ real r = 0; for (g in 1:G) {{ {statements} }} }}"
    return StanModel(HEAD + loop, groups(count))


def test_agrees_with_one_iteration_after_another() -> None:
    model = model_of("\n".join(STATEMENTS), 4)
    theta = np.random.default_rng(0).standard_normal((model.param_unc_num(), 3))
    with jax.enable_x64(True):
        fast = value_and_gradient(model.log_density_batch)(jnp.asarray(theta))
        slow = jax.jit(value_and_gradient(slow_target(model)))(jnp.asarray(theta))
    for found, expected in zip(fast, slow, strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("statement", STATEMENTS)
def test_work_does_not_grow_with_the_number_of_sizes(statement: str) -> None:
    counts = []
    for count in (10, 13):
        model = model_of(statement, count)
        with jax.enable_x64(True):
            theta = jax.ShapeDtypeStruct((model.param_unc_num(), 2), np.float64)
            traced = jax.make_jaxpr(model.log_density_batch)(theta)
        counts.append(equations(traced.jaxpr))
    assert counts[0] == counts[1]


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("y[s[g]:(e[g] + 1)] ~ normal(0, 1);", "accessing element out of range"),
        ("y[s[g]:e[g]] ~ normal(v[e[g]:e[g]], 1);", "size"),
        ("y[s[g]:e[g]] ~ normal(v, 1);", "size"),
        ("y[s[g]:e[g]] ~ normal(0, n[g] - 2);", "must be positive"),
    ],
)
def test_errors_are_those_of_the_slices(statement: str, message: str) -> None:
    model = model_of(statement, 3)
    with pytest.raises(StanRuntimeError, match=message):
        model.log_density_batch(jnp.zeros((model.param_unc_num(), 1)))
