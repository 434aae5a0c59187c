"""Short ways to write rows of the table."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from trustvi.stan import _types as t
from trustvi.stan.library._table import Convention, Row

Signatures = Callable[[], Iterable[t.Function]]


def quiet(function: Callable[..., Any]) -> Callable[..., Any]:
    """`function` without NumPy's warnings: log(0) is -inf and 0/0 NaN, as in C++."""

    @functools.wraps(function)
    def silent(*arguments: Any) -> Any:
        with np.errstate(all="ignore"):
            return function(*arguments)

    return silent


def to_real(array: Any) -> Any:
    """`array` with integers made reals."""
    return array.astype(np.float64) if np.issubdtype(array.dtype, np.integer) else array


def on_reals(function: Callable[..., Any]) -> Callable[..., Any]:
    """`function` of arrays whose integers have been made reals."""

    @functools.wraps(function)
    def real(*arrays: Any) -> Any:
        return function(*map(to_real, arrays))

    return real


def elementwise(name: str, signatures: Signatures, function: Callable[..., Any]) -> Row:
    return Row(name, signatures, Convention.ELEMENTWISE, quiet(function))


def batched(
    name: str,
    signatures: Signatures,
    function: Callable[..., Any],
    static: tuple[int, ...] = (),
) -> Row:
    return Row(name, signatures, Convention.BATCHED, quiet(function), static)
