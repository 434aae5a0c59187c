"""The layout of a declared variable once its sizes are known: shapes, order and names.

A value has axes (lanes, *array_dims, *dims, draws); a tuple's value is a Python tuple of its
elements' values, and an array of tuples a tuple of arrays, each with the array's dimensions in
front. Three orders of elements matter, all fixed by Stan's own generated code:

- constrained values, as written out: the first index varies fastest, over array dimensions too;
  an array of tuples is written tuple by tuple;
- unconstrained values: arrays element by element with the last index fastest, inside an element
  the first index fastest; an array of tuples with the first index fastest;
- real and imaginary parts stand side by side.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from jax import lax

from trustvi.stan._ast import Transform
from trustvi.stan.library._namespace import is_traced, namespace


@dataclass(frozen=True, slots=True)
class Layout:
    """A declared type whose sizes are known.

    `dims` are the element's own (none for a scalar, one for a vector, two for a matrix),
    `array_dims` those of the arrays around it, `elements` a tuple's.
    """

    transform: Transform = Transform.IDENTITY
    array_dims: tuple[int, ...] = ()
    dims: tuple[int, ...] = ()
    integer: bool = False
    complex: bool = False
    elements: tuple[Layout, ...] = ()

    @property
    def shape(self) -> tuple[int, ...]:
        return self.array_dims + self.dims

    @property
    def is_tuple(self) -> bool:
        return self.transform is Transform.TUPLE

    def without_array(self) -> Layout:
        """The layout of one element of the array."""
        return Layout(self.transform, (), self.dims, self.integer, self.complex, self.elements)


def free_dims(layout: Layout) -> tuple[int, ...]:
    """The shape of the unconstrained values of one element (not of a tuple)."""
    rows, columns = layout.dims if len(layout.dims) == 2 else (math.prod(layout.dims), 0)
    match layout.transform:
        case Transform.SIMPLEX | Transform.SUM_TO_ZERO_VECTOR:
            return (rows - 1,)
        case Transform.CHOLESKY_CORR | Transform.CORRELATION:
            return (rows * (rows - 1) // 2,)
        case Transform.COVARIANCE:
            return (rows * (rows + 1) // 2,)
        case Transform.CHOLESKY_COV:
            return (columns * (columns + 1) // 2 + (rows - columns) * columns,)
        case Transform.COLUMN_STOCHASTIC:
            return (rows - 1, columns)
        case Transform.ROW_STOCHASTIC:
            return (rows, columns - 1)
        case Transform.SUM_TO_ZERO_MATRIX:
            return (rows - 1, columns - 1)
        case _:
            return layout.dims


def element_free_size(layout: Layout) -> int:
    """The number of unconstrained reals under one element of the array."""
    if layout.is_tuple:
        return sum(unconstrained_size(element) for element in layout.elements)
    return math.prod(free_dims(layout)) * (2 if layout.complex else 1)


def unconstrained_size(layout: Layout) -> int:
    """The number of unconstrained reals under a variable."""
    return math.prod(layout.array_dims) * element_free_size(layout)


def constrained_size(layout: Layout) -> int:
    """The number of reals in a variable."""
    if layout.is_tuple:
        return math.prod(layout.array_dims) * sum(map(constrained_size, layout.elements))
    return math.prod(layout.shape) * (2 if layout.complex else 1)


# --------------------------------------------------------------------------- order


def flatten(layout: Layout, value: Any, leading: int = 0) -> Any:
    """The reals of a value in the order they are written: axes (lanes, reals, draws).

    `leading` array dimensions of tuples around this one are kept in front of the reals.
    """
    if layout.is_tuple:
        return _flatten_tuple(layout, value, leading)
    xp = namespace(value)
    if layout.complex:
        value = xp.stack([xp.real(value), xp.imag(value)], axis=1 + leading)
    parts = (1 + leading,) if layout.complex else ()
    start = 1 + leading + len(parts)
    reversed_axes = range(start + len(layout.shape) - 1, start - 1, -1)
    order = (*range(1 + leading), *reversed_axes, *parts, value.ndim - 1)
    return _merge(xp.transpose(value, order), leading, constrained_size(layout))


def _merge(value: Any, leading: int, size: int) -> Any:
    """All axes between the leading ones and the draws as one of `size`."""
    return value.reshape(*value.shape[: 1 + leading], size, value.shape[-1])


def _flatten_tuple(layout: Layout, value: Any, leading: int) -> Any:
    inside = leading + len(layout.array_dims)
    parts = [
        flatten(element, part, inside) for element, part in zip(layout.elements, value, strict=True)
    ]
    xp = namespace(*parts)
    joined = xp.concatenate(_same_outer(xp, parts), axis=1 + inside)
    arrays = range(inside, leading, -1)
    order = (*range(1 + leading), *arrays, 1 + inside, joined.ndim - 1)
    return _merge(xp.transpose(joined, order), leading, constrained_size(layout))


def _same_outer(xp: Any, parts: list[Any]) -> list[Any]:
    """`parts` with their lanes and draws axes broadcast to each other."""
    lanes = max(part.shape[0] for part in parts)
    draws = max(part.shape[-1] for part in parts)
    return [xp.broadcast_to(part, (lanes, *part.shape[1:-1], draws)) for part in parts]


def unflatten(layout: Layout, reals: Any, leading: int = 0) -> Any:
    """The value whose reals, in the order they are written, are `reals`; undoes `flatten`."""
    xp = namespace(reals)
    outer = reals.shape[: 1 + leading]
    dims = layout.array_dims if layout.is_tuple else layout.shape
    parts = (2,) if layout.complex else ()
    rest = (constrained_size(layout.without_array()),) if layout.is_tuple else ()
    split = reals.reshape(*outer, *reversed(dims), *parts, *rest, reals.shape[-1])
    first, last = 1 + leading, leading + len(dims)
    order = (*range(first), *range(last, first - 1, -1), *range(last + 1, split.ndim))
    value = xp.transpose(split, order)
    if layout.complex:
        value = to_complex(value[..., 0, :], value[..., 1, :])
    if not layout.is_tuple:
        return value
    return _split_tuple(layout, value, leading + len(dims), constrained_size, unflatten)


def _split_tuple(layout: Layout, reals: Any, leading: int, size: Any, take: Any) -> tuple[Any, ...]:
    """Apply `take` to each element's stretch of the axis after the leading ones."""
    sizes = [size(element) for element in layout.elements]
    ends = list(itertools.accumulate(sizes))
    return tuple(
        take(element, reals[..., end - count : end, :], leading)
        for element, count, end in zip(layout.elements, sizes, ends, strict=True)
    )


def to_complex(real: Any, imaginary: Any) -> Any:
    """A complex array from its parts, without a product that would make NaN of infinities."""
    if is_traced(real, imaginary):
        return lax.complex(real, imaginary)
    result = np.empty(real.shape, np.complex128)
    result.real, result.imag = real, imaginary
    return result


# --------------------------------------------------------------------------- names


def names(layout: Layout, name: str) -> list[str]:
    """The names of a variable's reals in the order they are written: x.2.1, x:1, x.real."""
    return _names(layout, name, layout.dims, free=False)


def unconstrained_names(layout: Layout, name: str) -> list[str]:
    """The names of a variable's unconstrained reals, as Stan gives them.

    Stan lists array dimensions with the first index fastest here too, though the values
    themselves go with the last index fastest; we keep its list.
    """
    dims = () if layout.is_tuple else free_dims(layout)
    return _names(layout, name, dims, free=True)


def _names(layout: Layout, name: str, dims: tuple[int, ...], free: bool) -> list[str]:
    if not layout.is_tuple:
        heads = [name + suffix for suffix in _index_suffixes(layout.array_dims + dims)]
        if not layout.complex:
            return heads
        return [f"{head}.{part}" for head in heads for part in ("real", "imag")]
    below = unconstrained_names if free else names
    return [
        item
        for suffix in _index_suffixes(layout.array_dims)
        for position, element in enumerate(layout.elements, start=1)
        for item in below(element, f"{name}{suffix}:{position}")
    ]


def _index_suffixes(dims: tuple[int, ...]) -> Iterator[str]:
    """ ".1.1", ".2.1", ...: the first index varies fastest."""
    ranges = [range(1, size + 1) for size in reversed(dims)]
    for index in itertools.product(*ranges):
        yield "".join(f".{i}" for i in reversed(index))
