"""Sums over prefixes and suffixes by lane, against one iteration after another."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
from test_leaving import slow_target
from test_programs import equations

from trustvi.stan._density import value_and_gradient
from trustvi.stan._model import StanModel

SUMS = (
    "log_sum_exp(eta[1 : n])",
    "log_sum_exp(eta[n : ])",
    "log_sum_exp(eta[first[n] : N])",
    "square(sum(eta[ : first[n]]))",
    "a * log_sum_exp(x[1 : n])",
    "a * sum(x[n : N])",
    "sum(eta[n : first[n]])",
    "sum(eta[2 : n])",
)


def model_of(rows: int) -> StanModel:
    terms = " ".join(f"target += {each};" for each in SUMS[:6])
    ragged = " ".join(f"if (n < 5) target += {each};" for each in SUMS[6:])
    program = (
        "data { int N; vector[N] x; array[N] int first; } parameters { real a; real b; } "
        "model { vector[N] eta = a * x + b; a ~ normal(0, 1); b ~ normal(0, 1); "
        f"eta[2] = -500; for (n in 1 : N) {{ {terms} {ragged} }} }}"
    )
    first = 1 + np.arange(rows) * 7 % rows
    return StanModel(program, {"N": rows, "x": np.cos(np.arange(rows)), "first": first})


def test_agrees_with_one_iteration_after_another() -> None:
    model = model_of(9)
    theta = np.random.default_rng(0).standard_normal((2, 3))
    with jax.enable_x64(True):
        fast = value_and_gradient(model.log_density_batch)(jnp.asarray(theta))
        slow = jax.jit(value_and_gradient(slow_target(model)))(jnp.asarray(theta))
    for found, expected in zip(fast, slow, strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_work_does_not_grow_with_rows() -> None:
    counts = []
    for rows in (50, 500):
        with jax.enable_x64(True):
            theta = jax.ShapeDtypeStruct((2, 4), np.float64)
            traced = jax.make_jaxpr(model_of(rows).log_density_batch)(theta)
        counts.append(equations(traced.jaxpr))
    assert counts[0] == counts[1]
