"""Matrices with their own axes last, as the linear algebra of NumPy and JAX wants them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np


def stacked(array: Any) -> Any:
    """`(lanes, *event, draws)` as `(lanes, draws, *event)`."""
    if array.shape[-1] == 1:
        return array.reshape((array.shape[0], 1, *array.shape[1:-1]))
    order = (0, array.ndim - 1, *range(1, array.ndim - 1))
    return array.transpose(order)


def unstacked(array: Any) -> Any:
    """`(lanes, draws, *event)` as `(lanes, *event, draws)`."""
    if array.shape[1] == 1:
        return array.reshape((array.shape[0], *array.shape[2:], 1))
    return array.transpose((0, *range(2, array.ndim), 1))


def on_stacks(function: Callable[..., Any]) -> Callable[..., Any]:
    """`function` of stacks of matrices, which may return a tuple, for the library's axes."""

    def call(*arrays: Any) -> Any:
        result = function(*map(stacked, arrays))
        if isinstance(result, tuple):
            return tuple(map(unstacked, result))
        return unstacked(result)

    return call


def hermitian(matrix: Any) -> Any:
    """The conjugate transposes of a stack of matrices."""
    turned = matrix.swapaxes(-1, -2)
    return turned.conj() if np.iscomplexobj(matrix) else turned


def is_single(array: Any) -> bool:
    """Whether a value is the same in all lanes and draws."""
    return array.shape[0] == 1 and array.shape[-1] == 1


def columns_of(array: Any) -> Any:
    """All columns, of all lanes and draws, side by side: `(rows, lanes * columns * draws)`."""
    lanes, rows, columns, draws = array.shape
    return array.transpose((1, 0, 2, 3)).reshape((rows, lanes * columns * draws))


def from_columns(flat: Any, lanes: int, columns: int, draws: int) -> Any:
    """The inverse of `columns_of`."""
    return flat.reshape((flat.shape[0], lanes, columns, draws)).transpose((1, 0, 2, 3))
