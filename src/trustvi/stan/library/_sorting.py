"""Orders and ranks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from trustvi.stan.library._checks import NOT_NAN, require, require_index
from trustvi.stan.library._gather import pick
from trustvi.stan.library._namespace import is_traced, namespace
from trustvi.stan.library._rows import batched
from trustvi.stan.library._signatures import expanded
from trustvi.stan.library._table import Row

_LISTS = ("vector", "row_vector", "array[] int", "array[] real")


def _require_numbers(function: str, array: Any) -> None:
    if not is_traced(array):
        require(function, "container argument", array, array == array, NOT_NAN)


def _sort(function: str, down: bool) -> Callable[[Any], Any]:
    def sort(array: Any) -> Any:
        _require_numbers(function, array)
        ordered = namespace(array).sort(array, axis=1)
        return ordered[:, ::-1] if down else ordered

    return sort


def _sort_indices(function: str, down: bool) -> Callable[[Any], Any]:
    """The places, from 1, of the elements in order; equals stay as they stood."""

    def sort_indices(array: Any) -> Any:
        _require_numbers(function, array)
        xp = namespace(array)
        stable = {} if is_traced(array) else {"kind": "stable"}
        order = xp.argsort(-array if down else array, axis=1, **stable)
        return order.astype(np.int64) + 1

    return sort_indices


def _rank(array: Any, place: Any) -> Any:
    """How many elements are less than the one at `place`."""
    require_index("rank", place, array.shape[1])
    less = array < pick(array, 1, place - 1)[:, None]
    return less.sum(axis=1).astype(np.int64)


ROWS: tuple[Row, ...] = (
    *(
        batched(name, expanded("({x}) => {x}", x=_LISTS), _sort(name, down))
        for name, down in (("sort_asc", False), ("sort_desc", True))
    ),
    *(
        batched(name, expanded("({x}) => array[] int", x=_LISTS), _sort_indices(name, down))
        for name, down in (("sort_indices_asc", False), ("sort_indices_desc", True))
    ),
    batched("rank", expanded("({x}, int) => int", x=_LISTS), _rank),
)
