"""Values of Stan expressions while a program runs: a type, and arrays laid out for lanes and draws.

The array of a scalar, vector, matrix or array has axes `(lanes, *event, draws)`. The lanes axis
has size 1 if the value is the same in all lanes, the draws axis if it doesn't depend on
parameters. A NumPy array is known now, a JAX array is traced. A tuple's data are a Python tuple
of its elements' data; an array of tuples is a tuple of arrays, each with the array's dimensions
in front of its own.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import jax
import numpy as np

from trustvi.stan import _types as t
from trustvi.stan.library._namespace import is_traced, namespace

Array = Any
"""A NumPy or a JAX array."""
Data = Any
"""An array, or a tuple of Data."""

UNSET_INT = np.int64(-2147483648)
"""What an integer holds before it is assigned to, as in Stan."""


@dataclass(frozen=True, slots=True)
class Value:
    """What an expression evaluates to."""

    type: t.Type
    data: Data

    @property
    def array(self) -> Array:
        """The data of a value that is no tuple."""
        return self.data


def leaves(data: Data) -> Iterator[Array]:
    """The arrays of `data`, tuples unfolded."""
    if isinstance(data, tuple):
        for item in data:
            yield from leaves(item)
    else:
        yield data


def map_data(function: Callable[..., Any], *data: Data) -> Data:
    """Apply `function` to corresponding arrays of data of one structure."""
    if isinstance(data[0], tuple):
        return tuple(map_data(function, *items) for items in zip(*data, strict=True))
    return function(*data)


def is_known(data: Data) -> bool:
    """Whether everything in `data` is known now."""
    return not any(is_traced(leaf) for leaf in leaves(data))


def event_shape(array: Array) -> tuple[int, ...]:
    return array.shape[1:-1]


# --------------------------------------------------------------------------- types and dtypes


INTEGERS, REALS = np.dtype(np.int64), np.dtype(np.float64)
COMPLEX_NUMBERS = np.dtype(np.complex128)


def dtype_of(type: t.Type) -> np.dtype[Any]:
    """The dtype of the arrays of a type that is no tuple."""
    inner, _ = t.unwind(type)
    if isinstance(inner, t.Int):
        return INTEGERS
    is_complex = isinstance(inner, t.Complex) or getattr(inner, "complex", False)
    return COMPLEX_NUMBERS if is_complex else REALS


def with_dtype(array: Array, dtype: np.dtype[Any]) -> Array:
    """`array` promoted to `dtype`, itself if it has it."""
    return array if array.dtype == dtype else array.astype(dtype)


def promote(data: Data, type: t.Type) -> Data:
    """`data` with integers made reals, and reals complex, as `type` wants them."""
    inner, _ = t.unwind(type)
    if isinstance(inner, t.Tuple):
        return tuple(map(promote, data, inner.elements))
    if isinstance(inner, t.Function | t.Void):
        return data
    return with_dtype(data, dtype_of(inner))


def promoted(value: Value, type: t.Type) -> Value:
    """`value` as one of `type`, to which it can be promoted."""
    return value if value.type == type else Value(type, promote(value.data, type))


def unset(dtype: np.dtype[Any]) -> Any:
    """What a variable of this dtype holds before it is assigned to."""
    if dtype == np.int64:
        return UNSET_INT
    return dtype.type(complex(np.nan, np.nan)) if dtype == np.complex128 else np.nan


def element_type(type: t.Type) -> t.Type:
    """The type of what the first index of a container picks."""
    match type:
        case t.Array():
            return type.element
        case t.Matrix():
            return t.RowVector(type.complex)
        case t.Vector() | t.RowVector():
            return t.COMPLEX if type.complex else t.REAL
        case _:
            raise TypeError(f"{type} can't be indexed")


# --------------------------------------------------------------------------- known scalars


def known_scalar(number: float | complex, type: t.Type) -> Value:
    """A number that is the same in all lanes and draws."""
    return Value(type, np.full((1, 1), number, dtype_of(type)))


def known_int(number: int) -> Value:
    return known_scalar(number, t.INT)


def event_values(array: np.ndarray) -> Array:
    """A plain array as one that is the same in all lanes and draws."""
    return array[None, ..., None]


# --------------------------------------------------------------------------- joining


def widest(arrays: list[Array]) -> tuple[int, int]:
    """The largest sizes of the lanes and draws axes among `arrays`."""
    return max(a.shape[0] for a in arrays), max(a.shape[-1] for a in arrays)


def stack_events(arrays: list[Array], axis: int = 1) -> Array:
    """`arrays` of one event shape along a new event axis."""
    lanes, draws = widest(arrays)
    dtype = functools.reduce(np.promote_types, (array.dtype for array in arrays))
    xp = namespace(*arrays)
    widened = [
        with_dtype(xp.broadcast_to(array, (lanes, *event_shape(array), draws)), dtype)
        for array in arrays
    ]
    return xp.stack(widened, axis)


def same_everywhere(array: np.ndarray) -> bool:
    """Whether a known array has the same entries in all lanes."""
    return array.shape[0] == 1 or bool((array == array[:1]).all())


def as_jax(array: Array) -> jax.Array:
    """A known array as a JAX array."""
    return jax.numpy.asarray(array)
