"""Sums of products over every combination of lanes and draws, and what they cost."""

from __future__ import annotations

import itertools

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from library_cases import compiled

from trustvi.stan.library._contract import contract

SIZES = {"i": 3, "j": 4, "k": 2, "l": 5, "d": 6}
SPECS = ("ij,j->i", "i,i->", "ij,jk->ik", "i,j->ij", "j,jk->k", "i,i->i", "ij,kj->ik", "ijk,k->ij")
AXES = list(itertools.product((False, True), repeat=4))


def operand(rng, event, lanes, draws):
    shape = [SIZES["l"] if lanes else 1, *map(SIZES.get, event), SIZES["d"] if draws else 1]
    return rng.normal(size=shape)


def operands(spec):
    """Both operands with and without lanes and draws, and the sum by NumPy over all axes."""
    rng = np.random.default_rng(3)
    left, right = spec.split("->")[0].split(",")
    for lanes, draws, other_lanes, other_draws in AXES:
        a = operand(rng, left, lanes, draws)
        b = operand(rng, right, other_lanes, other_draws)
        shape = (max(len(a), len(b)), max(a.shape[-1], b.shape[-1]))
        a_full, b_full = (np.broadcast_to(x, (shape[0], *x.shape[1:-1], shape[1])) for x in (a, b))
        result = spec.split("->")[1]
        yield a, b, np.einsum(f"l{left}d,l{right}d->l{result}d", a_full, b_full)


@pytest.mark.parametrize("spec", SPECS)
def test_every_combination_of_axes(spec):
    cases = list(operands(spec))
    known = [contract(spec, a, b) for a, b, _ in cases]
    traced = compiled(
        lambda pairs: [contract(spec, *pair) for pair in pairs], [c[:2] for c in cases]
    )
    for (_, _, expected), one, other in zip(cases, known, traced, strict=True):
        assert isinstance(one, np.ndarray)
        for found in (one, other):
            assert found.shape == expected.shape
            np.testing.assert_allclose(found, expected, rtol=1e-12)


def primitives(spec, left, right_shape):
    jaxpr = jax.make_jaxpr(lambda right: contract(spec, left, right))(jnp.zeros(right_shape))
    return [equation.primitive.name for equation in jaxpr.eqns]


@pytest.mark.parametrize(
    ("spec", "left", "right"),
    [
        ("ij,j->i", (1, 50, 7, 1), (1, 7, 64)),
        ("i,i->", (50, 7, 1), (1, 7, 64)),
        ("ij,jk->ik", (1, 50, 7, 1), (1, 7, 3, 64)),
    ],
)
def test_known_rows_times_traced_columns_is_one_matrix_product(spec, left, right):
    found = primitives(spec, np.ones(left), right)
    assert found.count("dot_general") == 1
    assert set(found) <= {"dot_general", "reshape", "transpose"}


def test_empty_sums_are_zero():
    for a, b in (
        (np.ones((1, 3, 0, 1)), np.ones((1, 0, 1))),
        (np.ones((2, 3, 0, 4)), np.ones((2, 0, 4))),
    ):
        np.testing.assert_array_equal(contract("ij,j->i", a, jnp.asarray(b)), 0.0)
