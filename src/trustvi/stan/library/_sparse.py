"""Matrices in compressed row storage: values w, their columns v, where rows start u."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from trustvi.stan._diagnostics import StanRuntimeError, StanUnsupportedError
from trustvi.stan.library._checks import require_index, require_match
from trustvi.stan.library._gather import common
from trustvi.stan.library._namespace import is_traced
from trustvi.stan.library._rows import batched
from trustvi.stan.library._signatures import spelled
from trustvi.stan.library._table import Row

Structure = tuple[np.ndarray, np.ndarray]


def _structure(function: str, rows: int, columns: int, w: Any, v: Any, u: Any) -> Structure:
    """Row and column (from 0) of every value; these must be known and alike in all lanes."""
    if is_traced(v, u) or np.any(v != v[:1]) or np.any(u != u[:1]):
        raise StanUnsupportedError(
            f"{function}: v and u must be data, the same wherever a loop uses them"
        )
    v, u = v[0, :, 0], u[0, :, 0]
    for name, size in (("m", rows), ("n", columns)):
        if size <= 0:
            raise StanRuntimeError(f"{function}: {name} is {size}, but must be positive!")
    require_match(function, "m", rows, "u", len(u) - 1)
    require_match(function, "w", w.shape[1], "v", len(v))
    require_match(function, "u/z", int(u[-1]) - 1, "v", len(v))
    require_index(function, v, columns)
    return np.repeat(np.arange(rows), np.diff(u)), v - 1


def _times_vector(rows: int, columns: int, w: Any, v: Any, u: Any, vector: Any) -> Any:
    """The matrix times a dense vector, by sums of gathered elements over the rows."""
    function = "csr_matrix_times_vector"
    row, column = _structure(function, rows, columns, w, v, u)
    require_match(function, "n", columns, "b", vector.shape[1])
    if not is_traced(w, vector):
        return _known_product((rows, columns), row, column, *common(w, vector))
    products = jnp.moveaxis(w * vector[:, column], 1, 0)
    summed = jax.ops.segment_sum(products, row, rows, indices_are_sorted=True)
    return jnp.moveaxis(summed, 0, 1)


def _known_product(
    shape: tuple[int, int], row: np.ndarray, column: np.ndarray, w: Any, vector: Any
) -> np.ndarray:
    from scipy.sparse import csr_array  # half as slow to import as all else of ours

    products = [
        csr_array((w[lane, :, 0], (row, column)), shape) @ vector[lane, :, 0]
        for lane in range(len(w))
    ]
    return np.stack(products)[:, :, None]


def _to_dense(rows: int, columns: int, w: Any, v: Any, u: Any) -> Any:
    row, column = _structure("csr_to_dense_matrix", rows, columns, w, v, u)
    shape = (w.shape[0], rows, columns, w.shape[-1])
    if is_traced(w):
        return jnp.zeros(shape).at[:, row, column].set(w)
    dense = np.zeros(shape)
    dense[:, row, column] = w
    return dense


def _extract(matrix: Any) -> tuple[Any, np.ndarray, np.ndarray]:
    """Values, columns and row starts, row by row, of the elements that aren't 0.

    Which these are must be known: for a matrix of parameters every element is kept.
    """
    nonzero = np.ones(matrix.shape, bool) if is_traced(matrix) else matrix != 0
    pattern = nonzero[0, :, :, 0]
    if not np.all(nonzero == nonzero[:1]):
        raise StanUnsupportedError("csr_extract: the matrices of a loop must be 0 alike")
    row, column = np.nonzero(pattern)
    starts = np.concatenate([[0], np.cumsum(pattern.sum(axis=1))])
    return matrix[:, row, column], (column + 1)[None, :, None], (starts + 1)[None, :, None]


def _part(index: int) -> Callable[[Any], Any]:
    return lambda matrix: _extract(matrix)[index]


ROWS: tuple[Row, ...] = (
    batched(
        "csr_matrix_times_vector",
        spelled("(int, int, vector, array[] int, array[] int, vector) => vector"),
        _times_vector,
        static=(0, 1),
    ),
    batched(
        "csr_to_dense_matrix",
        spelled("(int, int, vector, array[] int, array[] int) => matrix"),
        _to_dense,
        static=(0, 1),
    ),
    batched(
        "csr_extract",
        spelled("(matrix) => tuple(vector, array[] int, array[] int)"),
        _extract,
    ),
    batched("csr_extract_w", spelled("(matrix) => vector"), _part(0)),
    batched("csr_extract_v", spelled("(matrix) => array[] int"), _part(1)),
    batched("csr_extract_u", spelled("(matrix) => array[] int"), _part(2)),
)
