"""How multivariate densities are tested: batches against one by one, derivatives, `propto`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.flatten_util import ravel_pytree
from multivariate_cases import Case

from trustvi.stan.library._table import lookup
from trustvi.stan.library._terms import Terms

LANES, DRAWS = 3, 2
PATTERNS = ("lanes", "first", "others", "both")
"""Which arguments depend on lanes and draws; those with draws are traced."""

FAST_COMPILE = {"xla_backend_optimization_level": 0, "xla_llvm_disable_expensive_passes": True}
"""Everything is evaluated at a few points only: time goes into compilation."""


def density(name: str, arguments: Sequence[Any], propto: bool = False, lanes: int | None = None):
    """The log density (lanes or 1, draws or 1)."""
    (row,) = lookup(name)
    terms = Terms(name, (), propto, lanes)
    row.implementation(terms, *arguments)
    return terms.total()


def sizes(case: Case, pattern: str, i: int) -> tuple[int, int]:
    """The numbers of lanes and draws of the i-th argument."""
    first = i == case.integers  # the first argument that may be traced
    draws = {"draws": True, "first": first, "others": not first, "both": True}.get(pattern, False)
    lanes = {"lanes": True, "both": not first or case.integers > 0, "others": first}
    return LANES if lanes.get(pattern, False) else 1, (DRAWS if draws and i >= case.integers else 1)


def arguments(case: Case, pattern: str, rng: np.random.Generator) -> list[Any]:
    made = []
    for i in range(len(case.makers)):
        array = case.argument(i, rng, *sizes(case, pattern, i))
        made.append(jnp.asarray(array) if array.shape[-1] > 1 else array)
    return made


def one_by_one(case: Case, made: Sequence[Any]) -> np.ndarray:
    """The oracle in each lane and draw."""
    lanes, draws = (max(each.shape[axis] for each in made) for axis in (0, -1))
    values = np.empty((lanes, draws))
    for lane, draw in np.ndindex(lanes, draws):
        events = [np.asarray(x)[min(lane, len(x) - 1), ..., min(draw, x.shape[-1] - 1)]
                  for x in made]  # fmt: skip
        values[lane, draw] = case.oracle(*events)
    return values


def on_traced(function: Callable[[list[Any]], Any], groups: list[list[Any]]) -> Any:
    """`function(groups)` compiled once, with the JAX arrays in the groups as its arguments."""
    leaves, structure = jax.tree.flatten(groups)
    places = [i for i, leaf in enumerate(leaves) if isinstance(leaf, jax.Array)]

    def of_traced(traced: list[Any]) -> Any:
        everything = [*leaves]
        for i, leaf in zip(places, traced, strict=True):
            everything[i] = leaf
        return function(jax.tree.unflatten(structure, everything))

    return jax.jit(of_traced, compiler_options=FAST_COMPILE)([leaves[i] for i in places])


def check_values(case: Case, rng: np.random.Generator, rtol: float = 1e-9) -> None:
    """In all lanes and draws, and in total over lanes, a density is what its oracle says."""
    groups = [arguments(case, pattern, rng) for pattern in PATTERNS]

    def evaluate(groups: list[list[Any]]) -> Any:
        return [[density(case.name, made, lanes=n) for n in (None, LANES)] for made in groups]

    known = evaluate(groups[:1])
    assert isinstance(known[0][0], np.ndarray)
    found = known + on_traced(evaluate, groups[1:])
    for made, (each, total) in zip(groups, found, strict=True):
        expected = one_by_one(case, made)
        np.testing.assert_allclose(np.broadcast_to(each, expected.shape), expected, rtol=rtol)
        times = LANES if len(expected) == 1 else 1
        np.testing.assert_allclose(total, times * expected.sum(0, keepdims=True), rtol=rtol)


def check_propto(case: Case, rng: np.random.Generator) -> None:
    """Traced arguments change the density under `propto` as they change the full one."""
    free = range(case.integers, len(case.makers))
    known = [case.argument(i, rng, 1, 1) for i in range(len(case.makers))]
    assert density(case.name, known, propto=True) == 0
    drawn = [jnp.asarray(case.argument(i, rng, 1, DRAWS)) for i in range(len(case.makers))]
    groups = [
        [drawn[i] if i in chosen else each for i, each in enumerate(known)]
        for chosen in (free, *([i] for i in free))
    ]
    full, kept = on_traced(
        lambda groups: [[density(case.name, x, p) for x in groups] for p in (False, True)], groups
    )
    for one, other in zip(full, kept, strict=True):
        dropped = one - other
        np.testing.assert_allclose(dropped[:, 1:], dropped[:, :-1], rtol=1e-9, atol=1e-9)


def check_derivatives(
    evaluate: Callable[..., Any],
    values: Sequence[Any],
    directions: Sequence[Any],
    rtol: float = 1e-6,
) -> None:
    """The gradient of a scalar function against differences of its values along two directions,
    and the Hessian-vector products (forwards over backwards) against differences of gradients.

    `directions` is a pair of tangents shaped like `values`.
    """

    values = tuple(jnp.asarray(each) for each in values)
    stacked = tuple(jnp.stack(pair) for pair in zip(*directions, strict=True))
    with_gradient = jax.value_and_grad(evaluate, tuple(range(len(values))))

    @partial(jax.jit, compiler_options=FAST_COMPILE)
    def compiled(*values: Any) -> Any:
        def push(*direction: Any) -> Any:
            return jax.jvp(with_gradient, values, direction)

        found, (_, products) = jax.vmap(push, out_axes=(None, 0))(*stacked)
        return *found, products

    _, gradient, products = compiled(*values)
    for i, direction in enumerate(directions):
        near = {
            step: compiled(*(x + step * v for x, v in zip(values, direction, strict=True)))
            for step in (-2e-3, -1e-3, 1e-3, 2e-3)
        }

        def slope(of: Callable[[Any], Any], near: dict[float, Any] = near) -> Any:
            """Central differences of order 4."""
            wide, narrow = (of(near[s]) - of(near[-s]) for s in (2e-3, 1e-3))
            return (8 * narrow - wide) / 12e-3

        along = _flat(gradient) @ _flat(direction)
        scale = jnp.linalg.norm(_flat(gradient)) * jnp.linalg.norm(_flat(direction))
        np.testing.assert_allclose(along, slope(lambda r: r[0]), rtol=rtol, atol=rtol * scale)
        expected = slope(lambda r: _flat(r[1]))
        found = _flat([each[i] for each in products])
        assert np.all(np.isfinite(found))
        np.testing.assert_allclose(found, expected, rtol=rtol, atol=rtol * np.abs(expected).max())


def _flat(tree: Any) -> Any:
    return ravel_pytree(tree)[0]


def symmetric(rng: np.random.Generator, like: Any) -> np.ndarray:
    """A small random direction: a symmetric one for a square matrix (lanes, K, K, draws)."""
    direction = 0.1 * rng.normal(size=like.shape)
    if like.ndim == 4 and like.shape[1] == like.shape[2] > 1:
        direction = 0.5 * (direction + direction.swapaxes(1, 2))
    return direction
