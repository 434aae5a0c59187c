"""From unconstrained reals to a declared variable and back, for every transform."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

from trustvi.stan._ast import Transform
from trustvi.stan._transforms import _bounds, _matrices, _vectors
from trustvi.stan._transforms._layout import (
    Layout,
    element_free_size,
    free_dims,
    to_complex,
    unconstrained_size,
)
from trustvi.stan.library._namespace import namespace

Array = Any

ELEMENTWISE = frozenset(
    {
        Transform.IDENTITY,
        Transform.LOWER,
        Transform.UPPER,
        Transform.LOWER_UPPER,
        Transform.OFFSET,
        Transform.MULTIPLIER,
        Transform.OFFSET_MULTIPLIER,
    }
)


def constrain(layout: Layout, free: Array, arguments: Any = ()) -> tuple[Any, Array]:
    """The value of a variable and the logarithm of the Jacobian determinant.

    `free` has axes (lanes, reals, draws), the logarithm (lanes, draws). `arguments` are the
    transform's: arrays (lanes, *event, draws) of the variable's shape or scalar; for a tuple, one
    such sequence for each element.
    """
    return _constrain(layout, free, arguments, 0)


def unconstrain(layout: Layout, value: Any, arguments: Any = ()) -> Array:
    """The unconstrained reals, axes (lanes, reals, draws), of a known value."""
    return _unconstrain(layout, value, arguments, 0)


def _constrain(layout: Layout, free: Array, arguments: Any, outer: int) -> tuple[Any, Array]:
    """As `constrain`, for variables under `outer` array dimensions of tuples around them."""
    if layout.is_tuple:
        return _constrain_tuple(layout, free, arguments, outer)
    xp = namespace(free)
    dims = free_dims(layout)
    parts = (2,) if layout.complex else ()
    shape = (*free.shape[: 1 + outer], *layout.array_dims, *reversed(dims), *parts)
    free = free.reshape(*shape, free.shape[-1])
    if layout.complex:
        free = to_complex(free[..., 0, :], free[..., 1, :])
    if len(dims) == 2:
        free = xp.swapaxes(free, -2, -3)
    if layout.transform in ELEMENTWISE:
        value, slope = _elementwise(layout.transform, free, arguments)
        return value, _total(slope, value.shape)
    value, slope = _structured(layout, free)
    return value, _total(slope, (*free.shape[: 1 + outer], *layout.array_dims, free.shape[-1]))


def _constrain_tuple(layout: Layout, free: Array, arguments: Any, outer: int) -> tuple[Any, Array]:
    rank = len(layout.array_dims)
    blocks = free.reshape(
        *(*free.shape[: 1 + outer], *reversed(layout.array_dims)),
        *(element_free_size(layout), free.shape[-1]),
    )
    ends = itertools.accumulate(map(unconstrained_size, layout.elements))
    blocks = namespace(free).transpose(blocks, _reverse_arrays(outer, rank))
    results, start = [], 0
    for element, given, end in zip(layout.elements, _each(layout, arguments), ends, strict=True):
        results.append(_constrain(element, blocks[..., start:end, :], given, outer + rank))
        start = end
    values, slopes = zip(*results, strict=True)
    return values, sum(slopes, start=np.zeros((1, 1)))


def _reverse_arrays(outer: int, rank: int) -> tuple[int, ...]:
    """An order of axes that turns round the `rank` array axes after the outer ones."""
    first, last = 1 + outer, outer + rank
    return (*range(first), *range(last, first - 1, -1), last + 1, last + 2)


def _each(layout: Layout, arguments: Any) -> Any:
    return arguments or ((),) * len(layout.elements)


def _elementwise(transform: Transform, free: Array, arguments: Any) -> tuple[Array, Array]:
    given = [_bounds.align(argument, free.ndim - 2) for argument in arguments]
    match transform:
        case Transform.LOWER:
            return _bounds.lower(free, *given)
        case Transform.UPPER:
            return _bounds.upper(free, *given)
        case Transform.LOWER_UPPER:
            return _bounds.lower_upper(free, *given)
        case Transform.OFFSET:
            return free + given[0], _bounds.identity(free)[1]
        case Transform.MULTIPLIER:
            return _bounds.offset_multiplier(free, np.zeros((1,) * free.ndim), *given)
        case Transform.OFFSET_MULTIPLIER:
            return _bounds.offset_multiplier(free, *given)
        case _:
            return _bounds.identity(free)


def _structured(layout: Layout, free: Array) -> tuple[Array, Array]:
    """A transform of whole vectors or matrices; the slope without the element's axes."""
    match layout.transform:
        case Transform.ORDERED:
            return _vectors.ordered(free)
        case Transform.POSITIVE_ORDERED:
            return _vectors.positive_ordered(free)
        case Transform.SIMPLEX:
            return _vectors.simplex(free)
        case Transform.UNIT_VECTOR:
            return _vectors.unit_vector(free)
        case Transform.SUM_TO_ZERO_VECTOR:
            return _vectors.sum_to_zero(free)
        case Transform.SUM_TO_ZERO_MATRIX:
            return _vectors.sum_to_zero_matrix(free)
        case Transform.COLUMN_STOCHASTIC:
            return _vectors.column_stochastic(free)
        case Transform.ROW_STOCHASTIC:
            return _vectors.row_stochastic(free)
        case Transform.CHOLESKY_CORR:
            return _matrices.cholesky_corr(free, layout.dims[0])
        case Transform.CHOLESKY_COV:
            return _matrices.cholesky_cov(free, *layout.dims)
        case Transform.CORRELATION:
            return _matrices.correlation(free, layout.dims[0])
        case Transform.COVARIANCE:
            return _matrices.covariance(free, layout.dims[0])
        case _:
            raise ValueError(layout.transform)


def _total(slope: Array, shape: tuple[int, ...]) -> Array:
    """The sum of `slope`, broadcast to `shape`, over all axes but lanes and draws."""
    events = range(1, slope.ndim - 1)
    repeats = math.prod(shape[axis] for axis in events if slope.shape[axis] == 1)
    total = slope.sum(axis=tuple(events))
    return total if repeats == 1 else repeats * total


# --------------------------------------------------------------------------- inverse


def _unconstrain(layout: Layout, value: Any, arguments: Any, outer: int) -> Array:
    if layout.is_tuple:
        return _unconstrain_tuple(layout, value, arguments, outer)
    if layout.transform in ELEMENTWISE:
        free = _free_elementwise(layout.transform, value, arguments)
    else:
        free = _free_structured(layout.transform, value)
    if len(free_dims(layout)) == 2:
        free = np.swapaxes(free, -2, -3)
    if layout.complex:
        free = np.stack([free.real, free.imag], axis=-2)
    return free.reshape(*free.shape[: 1 + outer], unconstrained_size(layout), free.shape[-1])


def _unconstrain_tuple(layout: Layout, value: Any, arguments: Any, outer: int) -> Array:
    rank = len(layout.array_dims)
    parts = [
        _unconstrain(element, item, given, outer + rank)
        for element, item, given in zip(
            layout.elements, value, _each(layout, arguments), strict=True
        )
    ]
    blocks = np.concatenate(parts, axis=-2).transpose(_reverse_arrays(outer, rank))
    return blocks.reshape(*blocks.shape[: 1 + outer], unconstrained_size(layout), blocks.shape[-1])


def _free_elementwise(transform: Transform, value: Array, arguments: Any) -> Array:
    given = [_bounds.align(argument, value.ndim - 2) for argument in arguments]
    match transform:
        case Transform.LOWER:
            return _bounds.free_lower(value, *given)
        case Transform.UPPER:
            return _bounds.free_upper(value, *given)
        case Transform.LOWER_UPPER:
            return _bounds.free_lower_upper(value, *given)
        case Transform.OFFSET:
            return value - given[0]
        case Transform.MULTIPLIER:
            return value / given[0]
        case Transform.OFFSET_MULTIPLIER:
            return _bounds.free_offset_multiplier(value, *given)
        case _:
            return value


def _free_structured(transform: Transform, value: Array) -> Array:
    match transform:
        case Transform.ORDERED:
            return _vectors.free_ordered(value)
        case Transform.POSITIVE_ORDERED:
            return _vectors.free_positive_ordered(value)
        case Transform.SIMPLEX | Transform.ROW_STOCHASTIC:
            return _vectors.free_simplex(value)
        case Transform.SUM_TO_ZERO_VECTOR:
            return _vectors.free_sum_to_zero(value)
        case Transform.SUM_TO_ZERO_MATRIX:
            return _vectors.free_sum_to_zero_matrix(value)
        case Transform.COLUMN_STOCHASTIC:
            return _vectors.free_column_stochastic(value)
        case Transform.CHOLESKY_CORR:
            return _matrices.free_cholesky_corr(value)
        case Transform.CHOLESKY_COV:
            return _matrices.free_cholesky_cov(value)
        case Transform.CORRELATION:
            return _matrices.free_correlation(value)
        case Transform.COVARIANCE:
            return _matrices.free_covariance(value)
        case _:
            return value
