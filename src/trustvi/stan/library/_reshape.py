"""Containers turned into other containers with the same elements."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from trustvi.stan.library._checks import require, require_match, require_size
from trustvi.stan.library._namespace import is_traced, namespace
from trustvi.stan.library._rows import Signatures, batched, elementwise, to_real
from trustvi.stan.library._signatures import depths, expanded, joined, spelled
from trustvi.stan.library._table import Row

_VECTORS = ("vector", "row_vector", "complex_vector", "complex_row_vector")
INT_MAX = 2**31 - 1
"""Stan's integers have 32 bits."""


def columns_flat(matrix: Any) -> Any:
    """The elements of a matrix in one axis, column after column."""
    return _flat(matrix.swapaxes(1, 2))


def _flat(array: Any) -> Any:
    size = math.prod(array.shape[1:-1])
    return array.reshape((array.shape[0], size, array.shape[-1]))


def _same(array: Any) -> Any:
    return to_real(array)


def _unchanged(array: Any) -> Any:
    return array


def _flat_reals(array: Any) -> Any:
    return _flat(to_real(array))


# --------------------------------------------------------------------------------- to_matrix


def _as_column(vector: Any) -> Any:
    return vector[:, :, None]


def _as_row(vector: Any) -> Any:
    return vector[:, None]


def _filled(flatten: Callable[[Any], Any]) -> Callable[..., Any]:
    """A matrix of given size with the elements that `flatten` lists, filled by columns or rows."""

    def fill(container: Any, rows: int, columns: int, by_column: int = 1) -> Any:
        flat = to_real(flatten(container))
        for name, size in (("rows", rows), ("columns", columns)):
            require_size("to_matrix", name, size)
        require_match("to_matrix", "rows * columns", rows * columns, "vector size", flat.shape[1])
        lanes, _, draws = flat.shape
        if by_column:
            return flat.reshape((lanes, columns, rows, draws)).swapaxes(1, 2)
        return flat.reshape((lanes, rows, columns, draws))

    return fill


def _to_matrix_rows(signatures: str, flatten: Callable[[Any], Any], *sources: str) -> list[Row]:
    """`to_matrix` with sizes, from each of `sources`."""
    ends = [(x, "complex_matrix" if "complex" in x else "matrix") for x in sources]
    sizes = ("int, int", "int, int, int")
    fill = _filled(flatten)
    return [
        batched(
            "to_matrix",
            expanded(signatures.replace("{n}", size), x=ends),
            fill,
            static=tuple(range(1, 1 + size.count("int"))),
        )
        for size in sizes
    ]


_TO_MATRIX: tuple[Row, ...] = (
    batched(
        "to_matrix",
        spelled("(vector) => matrix", "(complex_vector) => complex_matrix"),
        _as_column,
    ),
    batched(
        "to_matrix",
        spelled("(row_vector) => matrix", "(complex_row_vector) => complex_matrix"),
        _as_row,
    ),
    batched(
        "to_matrix",
        spelled(
            "(matrix) => matrix",
            "(complex_matrix) => complex_matrix",
            "(array[] row_vector) => matrix",
            "(array[] complex_row_vector) => complex_matrix",
            "(array[,] int) => matrix",
            "(array[,] real) => matrix",
            "(array[,] complex) => complex_matrix",
        ),
        _same,
    ),
    *_to_matrix_rows(
        "({x[0]}, {n}) => {x[1]}",
        _flat,
        *_VECTORS,
        "array[] int",
        "array[] real",
        "array[] complex",
    ),
    *_to_matrix_rows("({x[0]}, {n}) => {x[1]}", columns_flat, "matrix", "complex_matrix"),
)


# ------------------------------------------------------------------- to_vector, to_array, ...


def _to_vectors(name: str, kind: str) -> tuple[Row, ...]:
    """`to_vector` or `to_row_vector`: a matrix is read column by column."""
    lists = [
        (x, f"complex_{kind}" if "complex" in x else kind)
        for x in (*_VECTORS, "array[] int", "array[] real", "array[] complex")
    ]
    matrices = spelled(f"(matrix) => {kind}", f"(complex_matrix) => complex_{kind}")
    return (
        batched(name, expanded("({x[0]}) => {x[1]}", x=lists), _same),
        batched(name, matrices, columns_flat),
    )


def _to_array_1d() -> tuple[Row, ...]:
    nested: Signatures = joined(
        expanded("({x}) => array[] int", x=depths("int", 1, 9)),
        expanded("({x}) => array[] real", x=depths("real", 1, 9)),
        spelled(
            "(vector) => array[] real",
            "(row_vector) => array[] real",
            "(complex_vector) => array[] complex",
            "(complex_row_vector) => array[] complex",
        ),
    )
    matrices = spelled("(matrix) => array[] real", "(complex_matrix) => array[] complex")
    return (
        batched("to_array_1d", nested, _flat),
        batched("to_array_1d", matrices, columns_flat),
    )


def _to_int(array: Any) -> Any:
    """Reals rounded towards zero; they must fit into Stan's integers."""
    if is_traced(array):
        return namespace(array).trunc(array).astype(np.int64)
    inside = (array >= -INT_MAX - 1) & (array <= INT_MAX)
    require("to_int", "x", array, inside, f"in the interval [{-INT_MAX - 1}, {INT_MAX}]")
    return np.trunc(array).astype(np.int64)


ROWS: tuple[Row, ...] = (
    *_TO_MATRIX,
    *_to_vectors("to_vector", "vector"),
    *_to_vectors("to_row_vector", "row_vector"),
    *_to_array_1d(),
    batched(
        "to_array_2d",
        spelled("(matrix) => array[,] real", "(complex_matrix) => array[,] complex"),
        _unchanged,
    ),
    elementwise("to_int", expanded("(data {x}) => {x}", x=depths("int")), _unchanged),
    elementwise(
        "to_int",
        expanded(
            "(data {x[0]}) => {x[1]}", x=list(zip(depths("real"), depths("int"), strict=True))
        ),
        _to_int,
    ),
)
