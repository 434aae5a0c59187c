"""Functions of many cases compiled at once, and their derivatives against differences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

FAST_COMPILE = {"xla_backend_optimization_level": 0, "xla_llvm_disable_expensive_passes": True}
"""Everything is evaluated at a few points only: time goes into compilation."""

Points = dict[str, list[np.ndarray]]
"""For every function, its real arguments as columns, one entry a case."""
STEPS = (-2.0, -1.0, 1.0, 2.0)
WEIGHTS = (1 / 12, -8 / 12, 8 / 12, -1 / 12)


class Derivatives(NamedTuple):
    """Values, gradients and second derivatives of functions, with differences beside them."""

    values: dict[str, np.ndarray]
    gradients: dict[str, np.ndarray]
    """(argument, case)"""
    slopes: dict[str, np.ndarray]
    """Differences of values"""
    hessians: dict[str, np.ndarray]
    """(argument, argument, case), forwards over backwards"""
    bends: dict[str, np.ndarray]
    """Differences of gradients"""


def _of_one(function: Callable[..., Any], columns: Sequence[Any], second: bool) -> Any:
    """The value, the gradient and the Hessian's columns of a function of independent cases."""

    def gradient(*columns: Any) -> Any:
        if not columns:
            return jnp.zeros((0, 1))
        return jnp.stack(jax.grad(lambda *x: function(*x).sum(), range(len(columns)))(*columns))

    def along(i: int) -> Any:
        unit = tuple(
            jnp.ones_like(x) if i == j else jnp.zeros_like(x) for j, x in enumerate(columns)
        )
        return jax.jvp(gradient, tuple(columns), unit)[1]

    hessian = [along(i) for i in range(len(columns) if second else 0)]
    return function(*columns), gradient(*columns), jnp.stack(hessian) if hessian else None


def derivatives(
    functions: dict[str, Callable[..., Any]],
    points: Points,
    step: float = 1e-4,
    second: bool = True,
) -> Derivatives:
    """Everything about `functions` at `points`, with one compilation.

    Second derivatives only if asked for.
    """

    def everything(points: Any) -> Any:
        return {name: _of_one(functions[name], columns, second) for name, columns in points.items()}

    compiled = jax.jit(everything, compiler_options=FAST_COMPILE)

    def at(argument: int, shift: float) -> Any:
        moved = {
            name: [
                x + shift * step * scale(x) if i == argument else x for i, x in enumerate(columns)
            ]
            for name, columns in points.items()
        }
        return jax.tree.map(np.asarray, compiled(moved))

    start = at(0, 0.0)
    longest = max(len(columns) for columns in points.values())
    moved = [[at(i, shift) for shift in STEPS] for i in range(longest)]

    def slope(name: str, part: int, i: int, column: np.ndarray) -> np.ndarray:
        with np.errstate(invalid="ignore"):  # infinite values have no differences
            change = sum(w * near[name][part] for w, near in zip(WEIGHTS, moved[i], strict=True))
        return change / (step * scale(column))

    def difference(name: str, part: int) -> np.ndarray:
        return np.array([slope(name, part, i, column) for i, column in enumerate(points[name])])

    return Derivatives(
        *({name: start[name][part] for name in points} for part in (0, 1)),
        {name: difference(name, 0) for name in points},
        {name: start[name][2] for name in points},
        {name: difference(name, 1) for name in points},
    )


def scale(x: np.ndarray) -> np.ndarray:
    """Steps are relative to the size of an argument."""
    return np.maximum(np.abs(x), 1e-2)


def assert_close(
    found: np.ndarray, differences: np.ndarray, columns: Sequence[Any], rtol: float
) -> None:
    """Finite, and equal to differences on the scale of the argument moved, up to rounding."""
    assert np.all(np.isfinite(found))
    for one, other, column in zip(found, differences, columns, strict=True):
        size = 1e-4 + np.abs(other) * scale(column)
        assert np.max(np.abs(one - other) * scale(column) / size) < rtol
