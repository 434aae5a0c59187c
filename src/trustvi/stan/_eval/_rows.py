"""Rows picked out of arrays, and summed into groups, by positions that are known now.

Known positions usually follow a pattern: all the same, an arithmetic progression, a progression
repeated or with repeats. Then picking them is a slice, a reshape and a broadcast, whose derivative
is a sum over an axis instead of a scatter. Rows stay contiguous over draws.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from trustvi.stan.library._namespace import is_traced, namespace

Array = Any
MAX_DIMS = 3
"""Patterns of more nested progressions than that are gathered."""


class Affine(NamedTuple):
    """Positions start + sum_k i_k stride_k; `dims` are (count, stride), the slowest first."""

    start: int
    dims: tuple[tuple[int, int], ...]


def affine(rows: np.ndarray, depth: int = MAX_DIMS) -> Affine | None:
    """The pattern of `rows`, if it is one of at most `depth` nested progressions."""
    n = len(rows)
    if n == 1:
        return Affine(int(rows[0]), ())
    if depth == 0:
        return None
    steps = np.diff(rows)
    breaks = np.flatnonzero(steps != steps[0])
    run = int(breaks[0]) + 1 if len(breaks) else n
    inner = ((run, int(steps[0])),)
    if run == n:
        return Affine(int(rows[0]), inner)
    if n % run:
        return None
    grid = rows.reshape(-1, run)
    if not np.array_equal(grid - grid[:, :1], np.broadcast_to(grid[0] - grid[0, 0], grid.shape)):
        return None
    outer = affine(grid[:, 0], depth - 1)
    return outer and Affine(outer.start, outer.dims + inner)


# --------------------------------------------------------------------------- taking


def take(values: Array, rows: np.ndarray) -> Array:
    """The entries of `values` at `rows` along axis 0. A NumPy result is never a view of a part."""
    if len(rows) == 0:
        return values[:0]
    if len(rows) == len(values) and _is_identity(rows):
        return values
    if not is_traced(values):
        return values[rows]
    pattern = affine(rows)
    if pattern is not None:
        picked = _take_pattern(values, pattern)
        if picked is not None:
            return picked
    return gather(values, rows)


def _is_identity(rows: np.ndarray) -> bool:
    return bool(rows[0] == 0 and rows[-1] == len(rows) - 1 and (np.diff(rows) == 1).all())


def _take_pattern(values: Array, pattern: Affine) -> Array | None:
    """The rows of a pattern by slicing, reshaping and broadcasting; None where that can't do."""
    moving = tuple((count, stride) for count, stride in pattern.dims if stride)
    picked = _progressions(values, pattern.start, moving)
    if picked is None:
        return None
    rest = values.shape[1:]
    if len(moving) < len(pattern.dims):
        ones = [count if stride else 1 for count, stride in pattern.dims]
        full = [count for count, _ in pattern.dims]
        picked = jnp.broadcast_to(picked.reshape(*ones, *rest), (*full, *rest))
    return picked.reshape(math.prod(count for count, _ in pattern.dims), *rest)


def _progressions(values: Array, start: int, dims: tuple[tuple[int, int], ...]) -> Array | None:
    """The grid of rows of at most two nested progressions."""
    if not dims:
        return values[start : start + 1]
    if len(dims) == 1:
        (count, stride), rest = dims[0], values.shape[1:]
        first = min(start, start + stride * (count - 1))
        stop = first + abs(stride) * (count - 1) + 1
        strides = (abs(stride), *(1,) * len(rest))
        picked = values
        if (first, stop, abs(stride)) != (0, len(values), 1):
            picked = lax.slice(values, (first, *(0,) * len(rest)), (stop, *rest), strides)
        return picked if stride > 0 else lax.rev(picked, (0,))
    if len(dims) == 2 and all(stride > 0 for _, stride in dims):
        return _grid(values, start, dims)
    return None


def _grid(values: Array, start: int, dims: tuple[tuple[int, int], ...]) -> Array | None:
    """Two progressions: `values` cut into stretches of the longer stride, each of them sliced."""
    order = sorted(range(2), key=lambda k: -dims[k][1])
    (outer, long), (inner, short) = (dims[k] for k in order)
    base = max(0, min(start, len(values) - outer * long))
    offset, reach = start - base, (inner - 1) * short + 1
    if base + outer * long > len(values) or offset + reach > long:
        return None
    rest = values.shape[1:]
    cut = values[base : base + outer * long].reshape(outer, long, *rest)
    grid = cut[:, offset : offset + reach : short]
    return grid if order == [0, 1] else grid.swapaxes(0, 1)


def gather(values: Array, rows: np.ndarray) -> Array:
    """Rows by position, told what is known of the positions so that the scatter back is cheap."""
    steps = np.diff(rows)
    ordered = bool((steps >= 0).all())
    unique = bool((steps > 0).all()) or len(np.unique(rows)) == len(rows)
    return values.at[rows].get(
        mode="promise_in_bounds", indices_are_sorted=ordered, unique_indices=unique
    )


# --------------------------------------------------------------------------- joining


def concatenate(parts: Sequence[Array]) -> Array:
    """`parts` one after another along axis 0, draws broadcast and dtypes promoted."""
    if len(parts) == 1:
        return parts[0]
    draws = max(part.shape[-1] for part in parts)
    dtype = functools.reduce(np.promote_types, (part.dtype for part in parts))
    xp = namespace(*parts)
    widened = []
    for part in parts:
        shape = (*part.shape[:-1], draws)
        part = part if part.shape == shape else xp.broadcast_to(part, shape)
        widened.append(part if part.dtype == dtype else part.astype(dtype))
    return xp.concatenate(widened, axis=0)


# --------------------------------------------------------------------------- sums by group


def sum_groups(values: Array, groups: np.ndarray, count: int) -> Array:
    """Sum the rows of `values` with the same number in `groups`, 0 to count - 1."""
    return _reduce_groups(values, groups, count, "sum")


def multiply_groups(values: Array, groups: np.ndarray, count: int) -> Array:
    """Multiply the rows of `values` with the same number in `groups`, 0 to count - 1."""
    return _reduce_groups(values, groups, count, "prod")


def _reduce_groups(values: Array, groups: np.ndarray, count: int, kind: str) -> Array:
    xp = namespace(values)
    if count == 1:
        return getattr(xp, kind)(values, axis=0, keepdims=True)
    if len(groups) == count and _is_identity(groups):
        return values
    pattern = affine(groups, 2)
    if pattern is not None and len(pattern.dims) == 2 and pattern.start == 0:
        (a, outer), (b, inner) = pattern.dims
        if (outer, inner, a) == (1, 0, count) or (outer, inner, b) == (0, 1, count):
            grid = values.reshape(a, b, *values.shape[1:])
            return getattr(xp, kind)(grid, axis=1 if inner == 0 else 0)
    return _scatter(values, groups, count, kind)


def _scatter(values: Array, groups: np.ndarray, count: int, kind: str) -> Array:
    order = np.argsort(groups, kind="stable")
    if kind == "prod":
        return _padded_product(values, groups, order, count)
    if not is_traced(values):
        total = np.zeros((count, *values.shape[1:]), values.dtype)
        np.add.at(total, groups, values)
        return total
    return jax.ops.segment_sum(take(values, order), groups[order], count, indices_are_sorted=True)


def _padded_product(values: Array, groups: np.ndarray, order: np.ndarray, count: int) -> Array:
    """Products of groups of different sizes: all made the same size with ones."""
    sizes = np.bincount(groups, minlength=count)
    first = np.cumsum(sizes) - sizes
    place = np.arange(sizes.max())
    inside = place < sizes[:, None]
    rows = np.where(inside, order[np.minimum(first[:, None] + place, len(order) - 1)], len(values))
    xp = namespace(values)
    extended = concatenate([values, xp.ones((1, *values.shape[1:]), values.dtype)])
    return extended[rows].prod(axis=1)
