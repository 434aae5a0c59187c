"""One number from all elements of a container, and sums along it."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import jax
import numpy as np

from trustvi.stan.library._checks import NOT_NAN, require, require_elements, require_match
from trustvi.stan.library._elementary import absolute
from trustvi.stan.library._gather import common
from trustvi.stan.library._namespace import is_traced, namespace
from trustvi.stan.library._rows import batched, elementwise
from trustvi.stan.library._signatures import expanded, joined, spelled
from trustvi.stan.library._table import Row

_LISTS = ("vector", "row_vector", "array[] real")
_REALS = (*_LISTS, "matrix")
_COMPLEX = ("complex_vector", "complex_row_vector", "array[] complex", "complex_matrix")


def event_axes(array: Any) -> tuple[int, ...]:
    return tuple(range(1, array.ndim - 1))


def steady(array: Any) -> Any:
    """`array` without its derivatives, for shifts that cancel exactly."""
    return jax.lax.stop_gradient(array) if is_traced(array) else array


def safe_sqrt(square: Any) -> Any:
    """A square root whose derivatives at 0 are 0."""
    xp = namespace(square)
    zero = square == 0
    return xp.where(zero, 0.0, xp.sqrt(xp.where(zero, 1.0, square)))


def _sum(array: Any) -> Any:
    return array.sum(axis=event_axes(array))


def _prod(array: Any) -> Any:
    return array.prod(axis=event_axes(array))


def _number(array: Any) -> int:
    return math.prod(array.shape[1:-1])


def _centred(array: Any) -> Any:
    return array - array.mean(axis=event_axes(array), keepdims=True)


def _mean(array: Any) -> Any:
    require_elements("mean", "m", _number(array))
    return array.mean(axis=event_axes(array))


def _variance(array: Any) -> Any:
    """The sum of squared deviations from the mean, over n - 1; 0 for a single number."""
    require_elements("variance", "m", _number(array))
    return (_centred(array) ** 2).sum(axis=event_axes(array)) / max(_number(array) - 1, 1)


def _sd(array: Any) -> Any:
    """The root of the variance. Where all are equal, Stan's gradient is 1/sqrt(n) in each."""
    require_elements("sd", "m", _number(array))
    number = _number(array)
    root = safe_sqrt(_variance(array))
    if number == 1 or not is_traced(array):
        return root
    slope = _sum(array - steady(array)) / math.sqrt(number)
    return namespace(root).where(root == 0, slope, root)


def _extreme(name: str, of_none: float) -> Callable[[Any], Any]:
    """`min` or `max`; of no reals it is infinite, of no integers an error."""

    def extreme(array: Any) -> Any:
        if _number(array) == 0:
            if np.issubdtype(array.dtype, np.integer):
                require_elements(name, "int vector", 0)
            return np.full((1, 1), of_none)
        return getattr(namespace(array), name)(array, axis=event_axes(array))

    return extreme


def _norm1(array: Any) -> Any:
    return absolute(array).sum(axis=1)


def norm2(array: Any) -> Any:
    """The Euclidean norm; its derivatives at 0 are 0."""
    return safe_sqrt((array * array).sum(axis=1))


def _finite_top(array: Any, axes: tuple[int, ...]) -> Any:
    """The greatest element, 0 in place of an infinite one, as a shift without derivatives."""
    top = steady(array.max(axis=axes, keepdims=True))
    xp = namespace(top)
    return xp.where(xp.isfinite(top), top, 0.0)


def log_sum_exp(array: Any, axes: tuple[int, ...] | None = None) -> Any:
    """log(sum(exp(x))); -inf with derivatives 0 if all are -inf."""
    axes = event_axes(array) if axes is None else axes
    xp = namespace(array)
    if 0 in (array.shape[axis] for axis in axes):
        return np.full([n for i, n in enumerate(array.shape) if i not in axes], -np.inf)
    top = _finite_top(array, axes)
    total = xp.exp(array - top).sum(axis=axes)
    none = total == 0
    return xp.where(none, -xp.inf, xp.log(xp.where(none, 1.0, total)) + top.squeeze(axes))


def _log_softmax(vector: Any) -> Any:
    require_elements("log_softmax", "v", vector.shape[1])
    return vector - log_sum_exp(vector)[:, None]


def _softmax(vector: Any) -> Any:
    if vector.shape[1] == 0:
        return vector
    weights = namespace(vector).exp(vector - steady(vector.max(axis=1, keepdims=True)))
    return weights / weights.sum(axis=1, keepdims=True)


LARGEST_EXPONENT = 700.0
"""exp of a little more is infinite."""


def _log_mix(weights: Any, values: Any) -> Any:
    """log(sum_k weights_k exp(values_k)), differentiable where a weight is 0."""
    require_match("log_mix", "size of theta", weights.shape[-2], "lambda", values.shape[-2])
    inside = (weights >= 0) & (weights <= 1)
    require("log_mix", "theta", weights, inside, "in the interval [0, 1]")
    if not is_traced(values):
        require("log_mix", "lambda", values, np.isfinite(values), "finite!")
    xp = namespace(weights, values)
    top = steady(xp.where(weights > 0, values, -xp.inf).max(axis=-2, keepdims=True))
    exponents = xp.minimum(values - top, LARGEST_EXPONENT)
    return xp.log((weights * xp.exp(exponents)).sum(axis=-2)) + top.squeeze(-2)


def _log_mix_all(weights: Any, values: Any) -> Any:
    """The sum of the mixtures of each element of an array of vectors."""
    return _log_mix(weights[:, None], values).sum(axis=1)


def _quantiles(values: Any, levels: Any) -> Any:
    """Linear interpolation between order statistics (Hyndman and Fan's definition 7)."""
    inside = (levels >= 0) & (levels <= 1)
    require("quantile", "p", levels, inside, "in the interval [0, 1]")
    require("quantile", "samples_vec", values, values == values, NOT_NAN)
    xp = namespace(values, levels)
    if values.shape[1] == 0:
        return np.zeros_like(levels)
    values, levels = common(xp.sort(values, axis=1), levels)
    index = (values.shape[1] - 1) * levels
    ends = [rounded(index).astype(np.int64) for rounded in (xp.floor, xp.ceil)]
    low, high = (xp.take_along_axis(values, end, 1) for end in ends)
    share = index - xp.floor(index)
    return (1 - share) * low + share * high


def _quantile(values: Any, level: Any) -> Any:
    return _quantiles(values, level[:, None]).squeeze(1)


_TO_REAL = expanded("({x}) => real", x=_REALS)
_TO_COMPLEX = expanded("({x}) => complex", x=_COMPLEX)
_OF_INTS = spelled("(array[] int) => int")
_EXTREMES = joined(_OF_INTS, _TO_REAL)
_WEIGHTS = _LISTS

ROWS: tuple[Row, ...] = (
    batched("sum", joined(_OF_INTS, _TO_REAL, _TO_COMPLEX), _sum),
    batched("prod", joined(_OF_INTS, _TO_REAL, _TO_COMPLEX), _prod),
    batched("mean", _TO_REAL, _mean),
    batched("variance", _TO_REAL, _variance),
    batched("sd", _TO_REAL, _sd),
    batched("min", _EXTREMES, _extreme("min", np.inf)),
    batched("max", _EXTREMES, _extreme("max", -np.inf)),
    elementwise("min", spelled("(int, int) => int"), lambda x, y: namespace(x, y).minimum(x, y)),
    elementwise("max", spelled("(int, int) => int"), lambda x, y: namespace(x, y).maximum(x, y)),
    batched("norm1", expanded("({x}) => real", x=_LISTS), _norm1),
    batched("norm2", expanded("({x}) => real", x=_LISTS), norm2),
    batched("log_sum_exp", _TO_REAL, log_sum_exp),
    batched("log_softmax", spelled("(vector) => vector"), _log_softmax),
    batched("softmax", spelled("(vector) => vector"), _softmax),
    batched("log_mix", expanded("({x}, {y}) => real", x=_WEIGHTS, y=_LISTS), _log_mix),
    batched(
        "log_mix",
        expanded("({x}, array[] {y}) => real", x=_WEIGHTS, y=("vector", "row_vector")),
        _log_mix_all,
    ),
    batched("quantile", expanded("(data {x}, data real) => real", x=_LISTS), _quantile),
    batched(
        "quantile",
        expanded("(data {x}, data array[] real) => array[] real", x=_LISTS),
        _quantiles,
    ),
)
