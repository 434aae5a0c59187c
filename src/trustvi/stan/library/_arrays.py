"""Sizes of containers, and containers made from scratch."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from trustvi.stan.library._checks import require, require_size
from trustvi.stan.library._namespace import namespace
from trustvi.stan.library._rows import batched, to_real
from trustvi.stan.library._signatures import (
    COMPLEX_CONTAINERS,
    CONTAINERS,
    ELEMENTS,
    MAX_DIMS,
    arrays,
    depths,
    expanded,
    joined,
    spelled,
)
from trustvi.stan.library._table import Row

_SCALARS = ("int", "real", "complex")
_MATRICES = ("matrix", "complex_matrix")
_VECTORS = ("vector", "complex_vector")
_ROWS_TYPES = ("row_vector", "complex_row_vector")


# ------------------------------------------------------------------------------------- sizes


def _known(values: Any) -> np.ndarray:
    """Integers that are the same in all lanes and draws, with event axes of their own."""
    return np.asarray(values, dtype=np.int64)[None, ..., None]


def _event(array: Any) -> tuple[int, ...]:
    return array.shape[1:-1]


def _size(array: Any) -> np.ndarray:
    return _known(_event(array)[0])


def _num_elements(array: Any) -> np.ndarray:
    return _known(math.prod(_event(array)))


def _one(array: Any) -> np.ndarray:
    return _known(1)


def _cols(array: Any) -> np.ndarray:
    return _known(_event(array)[-1])


def _dims(extra: Callable[[tuple[int, ...]], tuple[int, ...]]) -> Callable[[Any], np.ndarray]:
    """The sizes of all dimensions, up to the first that is 0: within it Stan can't look."""

    def dims(array: Any) -> np.ndarray:
        sizes = extra(_event(array))
        arrays_end = sizes.index(0) + 1 if 0 in sizes else len(sizes)
        return _known(sizes[:arrays_end])

    return dims


def _sized(element: str, most: int = MAX_DIMS, least: int = 0) -> Any:
    return expanded("({x}) => int", x=depths(element, least, most))


def _all_sized(elements: tuple[str, ...], least: int, most: int) -> Any:
    return joined(*(_sized(element, most, least) for element in elements))


def _dims_rows() -> tuple[Row, ...]:
    """`dims` sees vectors as matrices of one column or row."""
    shapes = (
        (_SCALARS, lambda sizes: sizes, 0),
        (("vector",), lambda sizes: (*sizes, 1), 0),
        (("complex_vector",), lambda sizes: (*sizes, 1), 1),
        (("row_vector",), lambda sizes: (*sizes[:-1], 1, *sizes[-1:]), 0),
        (("complex_row_vector",), lambda sizes: (*sizes[:-1], 1, *sizes[-1:]), 1),
        (("matrix",), lambda sizes: sizes, 0),
        (("complex_matrix",), lambda sizes: sizes, 1),
    )
    return tuple(
        batched(
            "dims",
            expanded(
                "({x}) => array[] int", x=[y for each in elements for y in depths(each, least, 8)]
            ),
            _dims(extra),
        )
        for elements, extra, least in shapes
    )


_SIZES: tuple[Row, ...] = (
    batched("size", _all_sized(_SCALARS, 0, 0), _one),
    batched("size", _all_sized(ELEMENTS, 1, MAX_DIMS), _size),
    batched("size", _all_sized(CONTAINERS + COMPLEX_CONTAINERS, 0, 0), _num_elements),
    batched("num_elements", _all_sized(CONTAINERS + COMPLEX_CONTAINERS, 0, 0), _num_elements),
    batched("num_elements", _all_sized(ELEMENTS, 1, MAX_DIMS + 2), _num_elements),
    batched("rows", _all_sized(_VECTORS + _MATRICES, 0, 0), _size),
    batched("rows", _all_sized(_ROWS_TYPES, 0, 0), _one),
    batched("cols", _all_sized(_ROWS_TYPES + _MATRICES, 0, 0), _cols),
    batched("cols", _all_sized(_VECTORS, 0, 0), _one),
    *_dims_rows(),
)


# ------------------------------------------------------------------------------- repetitions


def repeated(array: Any, sizes: tuple[int, ...], after: int) -> Any:
    """`array` repeated along new axes of `sizes` that stand after its axis `after`."""
    shape = array.shape
    widened = array.reshape(shape[: after + 1] + (1,) * len(sizes) + shape[after + 1 :])
    target = shape[: after + 1] + sizes + shape[after + 1 :]
    return namespace(array).broadcast_to(widened, target)


def _rep(function: str, names: tuple[str, ...], after: int = 0, real: bool = True) -> Any:
    """Repetition along new axes, whose sizes Stan's error messages call `names`."""

    def rep(array: Any, *sizes: int) -> Any:
        for name, size in zip(names, sizes, strict=True):
            require_size(function, name, size)
        return repeated(to_real(array) if real else array, sizes, after)

    return rep


_REP_ARRAY_NAMES = {1: ("n",), 2: ("rows", "cols"), 3: ("shelfs", "rows", "cols")}


def _rep_array_row(count: int) -> Row:
    """`rep_array` with `count` sizes."""
    sizes = ", int" * count
    signatures = [
        f"({arrays(element, dims)}{sizes}) => {arrays(element, dims + count)}"
        for element in ELEMENTS
        for dims in range(3)
    ]
    return batched(
        "rep_array",
        spelled(*signatures),
        _rep("rep_array", _REP_ARRAY_NAMES[count], real=False),
        static=tuple(range(1, count + 1)),
    )


_REPETITIONS: tuple[Row, ...] = (
    *map(_rep_array_row, (1, 2, 3)),
    batched(
        "rep_vector",
        spelled("(real, int) => vector", "(complex, int) => complex_vector"),
        _rep("rep_vector", ("n",)),
        static=(1,),
    ),
    batched(
        "rep_row_vector",
        spelled("(real, int) => row_vector", "(complex, int) => complex_row_vector"),
        _rep("rep_row_vector", ("n",)),
        static=(1,),
    ),
    batched(
        "rep_matrix",
        spelled("(real, int, int) => matrix", "(complex, int, int) => complex_matrix"),
        _rep("rep_matrix", ("rows", "cols")),
        static=(1, 2),
    ),
    batched(
        "rep_matrix",
        spelled("(vector, int) => matrix", "(complex_vector, int) => complex_matrix"),
        _rep("rep_matrix", ("cols",), after=1),
        static=(1,),
    ),
    batched(
        "rep_matrix",
        spelled("(row_vector, int) => matrix", "(complex_row_vector, int) => complex_matrix"),
        _rep("rep_matrix", ("rows",)),
        static=(1,),
    ),
)


# ---------------------------------------------------------------------------- known containers


def _filled(function: str, name: str, value: float | int) -> Callable[[int], np.ndarray]:
    def fill(size: int) -> np.ndarray:
        require_size(function, name, size)
        return np.full((1, size, 1), value)

    return fill


def _one_hot(function: str, dtype: type) -> Callable[[int, Any], Any]:
    def one_hot(size: int, place: Any) -> Any:
        if size <= 0:
            require(function, "size", np.asarray(size), np.asarray(False), "positive!")
        inside = (place >= 1) & (place <= size)
        require(function, "k", place, inside, f"in the interval [1, {size}]")
        counts = np.arange(1, size + 1)[None, :, None]
        return (place[:, None, :] == counts).astype(dtype)

    return one_hot


def _linspaced(function: str) -> Callable[[int, Any, Any], Any]:
    """`size` reals from `low` to `high`, both included; one alone is `high`."""

    def linspaced(size: int, low: Any, high: Any) -> Any:
        low, high = to_real(low)[:, None], to_real(high)[:, None]
        _require_range(function, size, low, high)
        xp = namespace(low, high)
        fraction = np.arange(size)[None, :, None] / max(size - 1, 1)
        last = np.arange(size)[None, :, None] == size - 1
        return xp.where(last, high, low + (high - low) * fraction)

    return linspaced


def _require_range(function: str, size: int, low: Any, high: Any) -> None:
    require_size(function, "size", size)
    require(function, "low", low, np.isfinite(low), "finite!")
    require(function, "high", high, np.isfinite(high), "finite!")
    _require_ordered(function, low, high)


def _require_ordered(function: str, low: Any, high: Any) -> None:
    if np.any(high < low):
        least = f"greater than or equal to {float(np.min(low)):g}"
        require(function, "high", high, high >= low, least)


def _linspaced_int_array(size: int, low: int, high: int) -> np.ndarray:
    """Evenly spaced integers from `low`, the last as near below `high` as even steps come.

    With more integers than there are between the ends, each is repeated equally often.
    """
    require_size("linspaced_int_array", "size", size)
    _require_ordered("linspaced_int_array", np.asarray(low), np.asarray(high))
    steps, span = np.arange(size), high - low
    if size == 1:
        return _known([high])
    if span + 1 < size:
        return _known(low + steps // ((size + span) // (span + 1)))
    return _known(low + steps * (span // max(size - 1, 1)))


def _identity_matrix(size: int) -> np.ndarray:
    require_size("identity_matrix", "size", size)
    return np.eye(size)[None, :, :, None]


def _uniform_simplex(size: int) -> np.ndarray:
    if size <= 0:
        require("uniform_simplex", "size", np.asarray(size), np.asarray(False), "positive!")
    return np.full((1, size, 1), 1.0 / size)


_KINDS = (
    ("vector", "vector", float),
    ("row_vector", "row_vector", float),
    ("array", "array[] real", float),
    ("int_array", "array[] int", int),
)


def _constant_rows() -> tuple[Row, ...]:
    """`zeros_...`, `ones_...` and `one_hot_...` of every kind."""
    rows = []
    for kind, result, dtype in _KINDS:
        for prefix, value in (("zeros", 0), ("ones", 1)):
            name = f"{prefix}_{kind}"
            fill = _filled(name, "size", dtype(value))
            rows.append(batched(name, spelled(f"(int) => {result}"), fill, static=(0,)))
        name = f"one_hot_{kind}"
        signature = spelled(f"(int, int) => {result}")
        rows.append(batched(name, signature, _one_hot(name, dtype), static=(0,)))
    return tuple(rows)


def _linspaced_rows() -> tuple[Row, ...]:
    reals = tuple(
        batched(
            f"linspaced_{kind}",
            spelled(f"(data int, data real, data real) => {result}"),
            _linspaced(f"linspaced_{kind}"),
            static=(0,),
        )
        for kind, result, dtype in _KINDS
        if dtype is float
    )
    ints = spelled("(data int, data int, data int) => array[] int")
    return (*reals, batched("linspaced_int_array", ints, _linspaced_int_array, static=(0, 1, 2)))


ROWS: tuple[Row, ...] = (
    *_SIZES,
    *_REPETITIONS,
    *_constant_rows(),
    *_linspaced_rows(),
    batched("identity_matrix", spelled("(int) => matrix"), _identity_matrix, static=(0,)),
    batched("uniform_simplex", spelled("(int) => vector"), _uniform_simplex, static=(0,)),
)
