"""Whether known values keep to their declaration, and what to say when they don't.

Tolerances are Stan's: 1e-8 for sums, lengths and symmetry, none for bounds and order.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import reduce
from typing import Any

import jax.numpy as jnp
import numpy as np

from trustvi.stan._ast import Transform
from trustvi.stan._transforms._bounds import align
from trustvi.stan._transforms._layout import Layout
from trustvi.stan.library._namespace import is_traced, namespace

TOLERANCE = 1e-8
Array = Any
Name = tuple[tuple[str, int], ...]
"""Pieces of a name, each with the number of array indices that follow it: at[2].1."""


def violation(layout: Layout, value: Any, arguments: Any, name: str) -> str | None:
    """What is wrong with the first element that breaks its declaration, or None."""
    return _violation(layout, value, arguments, ((name, len(layout.array_dims)),))


def _violation(layout: Layout, value: Any, arguments: Any, name: Name) -> str | None:
    if layout.is_tuple:
        given = arguments or ((),) * len(layout.elements)
        for position, element in enumerate(layout.elements):
            below = (*name, (f".{position + 1}", len(element.array_dims)))
            if said := _violation(element, value[position], given[position], below):
                return said
    elif layout.transform in _BOUNDS:
        return _bound_violation(layout, value, arguments, name)
    elif layout.transform in _STRUCTURES:
        return _structure_violation(layout, value, name)
    return None


def satisfied(layout: Layout, value: Any, arguments: Any) -> Array:
    """Whether a value keeps to its declaration, in each lane and draw: axes (lanes, draws)."""
    if layout.is_tuple:
        given = arguments or ((),) * len(layout.elements)
        parts = map(satisfied, layout.elements, value, given)
        return reduce(operator.and_, parts, np.ones((1, 1), bool))
    if layout.transform in _BOUNDS:
        tests = _bound_tests(layout, value, arguments)
        holds = reduce(operator.and_, (test for test, _, _ in tests))
        return holds.all(axis=tuple(range(1, holds.ndim - 1)))
    if layout.transform in _STRUCTURES:
        holds = _STRUCTURES[layout.transform][0](_draws_first(value))
        return holds.all(axis=tuple(range(2, holds.ndim)))
    return np.ones((1, 1), bool)


def unusable(layout: Layout, arguments: Any, name: str) -> str | None:
    """What is wrong with a transform's arguments, as far as they are known, or None."""
    if layout.is_tuple:
        given = arguments or ((),) * len(layout.elements)
        parts = (f"{name}.{i + 1}" for i in range(len(given)))
        return next(filter(None, map(unusable, layout.elements, given, parts)), None)
    for position, holds, must in _ARGUMENTS.get(layout.transform, ()):
        if not is_traced(*arguments) and not (good := holds(*arguments)).all():
            argument = np.broadcast_to(align(arguments[position], good.ndim - 2), good.shape)
            number = _number(argument[tuple(np.argwhere(~good)[0])])
            what = layout.transform.value.split("_")[position]
            return f"{what} of {name} is {number}, but must be {must}"
    return None


def _finite(position: int) -> Callable[..., Array]:
    return lambda *arguments: np.isfinite(arguments[position])


def _positive(position: int) -> Callable[..., Array]:
    return lambda *arguments: (arguments[position] > 0) & np.isfinite(arguments[position])


def _in_order(low: Array, high: Array) -> Array:
    rank = max(low.ndim, high.ndim) - 2
    return align(low, rank) < align(high, rank)


_ARGUMENTS: dict[Transform, tuple[tuple[int, Callable[..., Array], str], ...]] = {
    Transform.LOWER_UPPER: ((0, _in_order, "less than its upper bound"),),
    Transform.OFFSET: ((0, _finite(0), "finite"),),
    Transform.MULTIPLIER: ((0, _positive(0), "positive finite"),),
    Transform.OFFSET_MULTIPLIER: (
        (0, _finite(0), "finite"),
        (1, _positive(1), "positive finite"),
    ),
}


# --------------------------------------------------------------------------- bounds

_BOUNDS: dict[Transform, tuple[str, ...]] = {
    Transform.LOWER: ("greater",),
    Transform.UPPER: ("less",),
    Transform.LOWER_UPPER: ("greater", "less"),
}


def _bound_tests(layout: Layout, value: Array, arguments: Any) -> list[tuple[Array, str, Array]]:
    """For each bound: where it holds, its word, and the bound aligned to the value."""
    given = [align(argument, value.ndim - 2) for argument in arguments]
    return [
        (value >= bound if side == "greater" else value <= bound, side, bound)
        for side, bound in zip(_BOUNDS[layout.transform], given, strict=True)
    ]


def _bound_violation(layout: Layout, value: Array, arguments: Any, name: Name) -> str | None:
    for holds, side, bound in _bound_tests(layout, value, arguments):
        if not holds.all():
            at = tuple(np.argwhere(~holds)[0])
            value, bound = np.broadcast_to(value, holds.shape), np.broadcast_to(bound, holds.shape)
            place = _indexed(name, at[1:-1], len(layout.dims))
            return (
                f"{place} is {_number(value[at])}, but must be {side} than or equal to "
                f"{_number(bound[at])}"
            )
    return None


def _indexed(name: Name, index: tuple[int, ...], last: int = 0) -> str:
    """The name with its indices: am[2, 1][1, 3], at[2].1; `last` indices are the element's."""
    text, start = "", 0
    for piece, count in (*name, ("", last)):
        inside = ", ".join(str(i + 1) for i in index[start : start + count])
        text, start = text + piece + (f"[{inside}]" if count else ""), start + count
    return text


def _number(x: Any) -> str:
    return f"{x:g}" if isinstance(x, float | np.floating) else str(x)


# --------------------------------------------------------------------------- structures


def _draws_first(value: Array) -> Array:
    """Axes (lanes, draws, *arrays, *event)."""
    return namespace(value).moveaxis(value, -1, 1)


def _structure_violation(layout: Layout, value: Array, name: Name) -> str | None:
    """Test all elements at once; describe the first that fails."""
    holds, describe = _STRUCTURES[layout.transform]
    events = _draws_first(value)
    bad = ~holds(events)
    if not bad.any():
        return None
    at = tuple(np.argwhere(bad)[0])
    place = _indexed(name, at[2:])
    return f"{place} {describe(events[at], place)}"


def _ordered(x: Array) -> Array:
    return (namespace(x).diff(x, axis=-1) > 0).all(axis=-1)


def _describe_ordered(x: Array, name: str) -> str:
    k = int(np.argmin(np.diff(x) > 0)) + 1
    return (
        f"is not a valid ordered vector. The element at {k + 1} is {_number(x[k])}, but should be "
        f"greater than the previous element, {_number(x[k - 1])}"
    )


def _positive_ordered(x: Array) -> Array:
    return _ordered(x) & ~(x[..., :1] < 0).any(axis=-1)


def _describe_positive_ordered(x: Array, name: str) -> str:
    if not x[0] < 0:
        return _describe_ordered(x, name)
    return (
        f"is not a valid positive_ordered vector. The element at 1 is {_number(x[0])}, but should "
        "be positive."
    )


def _near(x: Array, target: float) -> Array:
    return abs(x - target) <= TOLERANCE


def _simplex(x: Array) -> Array:
    return _near(x.sum(axis=-1), 1.0) & (x >= 0).all(axis=-1)


def _describe_simplex(x: Array, name: str) -> str:
    if not _near(x.sum(), 1.0):
        total = f"{x.sum():.10g}"
        return f"is not a valid simplex. sum({name}) = {total}, but should be 1"
    k = int(np.argmin(x >= 0))
    return (
        f"is not a valid simplex. {name}[{k + 1}] = {_number(x[k])}, but should be greater than "
        "or equal to 0"
    )


def _unit_vector(x: Array) -> Array:
    return _near((x * x).sum(axis=-1), 1.0)


def _describe_unit_vector(x: Array, name: str) -> str:
    return (
        "is not a valid unit vector. The sum of the squares of the elements should be 1, but is "
        f"{_number((x * x).sum())}"
    )


def _sum_to_zero(x: Array) -> Array:
    return _near(x.sum(axis=-1), 0.0)


def _describe_sum_to_zero(x: Array, name: str) -> str:
    return f"is not sum-to-zero. sum({name}) = {x.sum():.10g}, but should be 0"


def _sum_to_zero_matrix(x: Array) -> Array:
    return _sum_to_zero(x).all(axis=-1) & _sum_to_zero(x.swapaxes(-1, -2)).all(axis=-1)


def _describe_sum_to_zero_matrix(x: Array, name: str) -> str:
    rows = _sum_to_zero(x)
    if not rows.all():
        k = int(np.argmin(rows))
        return f"is not sum-to-zero. The sum of row {k + 1} is {x[k].sum():.10g}, but should be 0"
    k = int(np.argmin(_sum_to_zero(x.T)))
    total = x[:, k].sum()
    return f"is not sum-to-zero. The sum of column {k + 1} is {total:.10g}, but should be 0"


def _rows_simplex(x: Array) -> Array:
    return _simplex(x).all(axis=-1)


def _describe_rows_simplex(x: Array, name: str) -> str:
    k = int(np.argmin(_simplex(x)))
    return f"is not a valid row stochastic matrix: row {k + 1} {_describe_simplex(x[k], name)}"


def _columns_simplex(x: Array) -> Array:
    return _rows_simplex(x.swapaxes(-1, -2))


def _describe_columns_simplex(x: Array, name: str) -> str:
    k = int(np.argmin(_simplex(x.T)))
    said = _describe_simplex(x[:, k], name)
    return f"is not a valid column stochastic matrix: column {k + 1} {said}"


# --------------------------------------------------------------------------- matrices


def _diagonal(x: Array) -> Array:
    return x.diagonal(axis1=-2, axis2=-1)


def _cholesky_cov(x: Array) -> Array:
    lower = (namespace(x).triu(x, 1) == 0).all(axis=(-2, -1))
    return lower & (_diagonal(x) > 0).all(axis=-1)


def _describe_cholesky_cov(x: Array, name: str) -> str:
    above = np.argwhere(np.triu(x, 1) != 0)
    if len(above):
        i, j = above[0]
        return f"is not lower triangular; {name}[{i + 1},{j + 1}]={_number(x[i, j])}"
    k = int(np.argmin(_diagonal(x) > 0))
    return f"is not a valid Cholesky factor: element [{k + 1},{k + 1}] is {_number(x[k, k])}, " + (
        "but must be positive!"
    )


def _cholesky_corr(x: Array) -> Array:
    return _cholesky_cov(x) & _unit_vector(x).all(axis=-1)


def _describe_cholesky_corr(x: Array, name: str) -> str:
    if not _cholesky_cov(x):
        return _describe_cholesky_cov(x, name)
    return _describe_unit_vector(x[int(np.argmin(_unit_vector(x)))], name)


def _symmetric(x: Array) -> Array:
    return (abs(x - x.swapaxes(-1, -2)) <= TOLERANCE).all(axis=(-2, -1))


def _positive_definite(x: Array) -> Array:
    """Whether each of a batch of symmetric matrices has a Cholesky factor."""
    if is_traced(x):
        return jnp.isfinite(jnp.linalg.cholesky(x)).all(axis=(-2, -1))
    try:
        np.linalg.cholesky(x)
        return np.isfinite(x).all(axis=(-2, -1))
    except np.linalg.LinAlgError:
        if x.ndim == 2:
            return np.array(False)
        return np.array([_positive_definite(one) for one in x]).reshape(x.shape[:-2])


def _covariance(x: Array) -> Array:
    symmetric = _symmetric(x)
    safe = namespace(x).where(symmetric[..., None, None], x, np.eye(x.shape[-1]))
    return symmetric & _positive_definite(safe)


def _describe_covariance(x: Array, name: str) -> str:
    apart = np.argwhere(~(np.abs(x - x.T) <= TOLERANCE))
    if not len(apart):
        return "is not positive definite."
    i, j = apart[0]
    return (
        f"is not symmetric. {name}[{i + 1},{j + 1}] = {_number(x[i, j])}, but "
        f"{name}[{j + 1},{i + 1}] = {_number(x[j, i])}"
    )


def _correlation(x: Array) -> Array:
    return _near(_diagonal(x), 1.0).all(axis=-1) & _covariance(x)


def _describe_correlation(x: Array, name: str) -> str:
    ones = _near(_diagonal(x), 1.0)
    if ones.all():
        return _describe_covariance(x, name)
    k = int(np.argmin(ones)) + 1
    return (
        f"is not a valid correlation matrix. {name}({k},{k}) is {_number(x[k - 1, k - 1])}, but "
        "should be near 1.0"
    )


_STRUCTURES: dict[Transform, tuple[Callable[[Array], Array], Callable[[Array, str], str]]] = {
    Transform.ORDERED: (_ordered, _describe_ordered),
    Transform.POSITIVE_ORDERED: (_positive_ordered, _describe_positive_ordered),
    Transform.SIMPLEX: (_simplex, _describe_simplex),
    Transform.UNIT_VECTOR: (_unit_vector, _describe_unit_vector),
    Transform.SUM_TO_ZERO_VECTOR: (_sum_to_zero, _describe_sum_to_zero),
    Transform.SUM_TO_ZERO_MATRIX: (_sum_to_zero_matrix, _describe_sum_to_zero_matrix),
    Transform.CHOLESKY_CORR: (_cholesky_corr, _describe_cholesky_corr),
    Transform.CHOLESKY_COV: (_cholesky_cov, _describe_cholesky_cov),
    Transform.CORRELATION: (_correlation, _describe_correlation),
    Transform.COVARIANCE: (_covariance, _describe_covariance),
    Transform.COLUMN_STOCHASTIC: (_columns_simplex, _describe_columns_simplex),
    Transform.ROW_STOCHASTIC: (_rows_simplex, _describe_rows_simplex),
}
