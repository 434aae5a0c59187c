"""Values put together from rows of several arrays, found for each lane by what is known.

A request asks for `slots` rows for each lane of a lane set, lane by lane. A part answers some of
its places with rows of one array.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from trustvi.stan._eval._lanes import Node
from trustvi.stan._eval._rows import concatenate, take
from trustvi.stan.library._namespace import is_traced

Array = Any


class Part(NamedTuple):
    """`values[rows]` are the answers to the request's `places`."""

    values: Array
    rows: np.ndarray
    places: np.ndarray


def assemble_flat(parts: Sequence[Part], size: int) -> Array:
    """All answers as rows; outside scans only, where lanes and columns are the same."""
    values, index = _joined(parts, size)
    return take(values, index)


def _joined(parts: Sequence[Part], size: int) -> tuple[Array, np.ndarray]:
    """One array that holds all parts' values, and for each place the row in it."""
    distinct: dict[int, int] = {}
    arrays: list[Array] = []
    index = np.zeros(size, np.int64)
    start = 0
    for part in parts:
        if id(part.values) not in distinct:
            distinct[id(part.values)] = start
            arrays.append(part.values)
            start += len(part.values)
        index[part.places] = part.rows + distinct[id(part.values)]
    return concatenate(arrays), index


def assemble(node: Node, parts: Sequence[Part], slots: int) -> Array:
    """The answers as an array with axes (lanes|1, slots, *block, draws)."""
    if is_traced(*(part.values for part in parts)):
        return _assemble_traced(node, parts, slots)
    values, index = _joined(parts, node.count * slots)
    grid = _collapsed(index.reshape(node.count, slots))
    return take(values, grid.ravel()).reshape(*grid.shape, *values.shape[1:])


def _collapsed(grid: np.ndarray) -> np.ndarray:
    """`grid` with one row if all are the same."""
    return grid[:1] if len(grid) > 1 and (grid == grid[:1]).all() else grid


def _assemble_traced(node: Node, parts: Sequence[Part], slots: int) -> Array:
    if node.scan is not None:
        parts = _lifted(node, parts, slots)
    values, index = _joined(parts, node.count * slots)
    places = node.arranged(index.reshape(node.count, slots))
    steps = places.reshape(-1, *places.shape[-2:])
    if (steps == steps[:1]).all():
        grid = _collapsed(steps[0])
        return take(values, grid.ravel()).reshape(*grid.shape, *values.shape[1:])
    here = node.lift_arranged(places)
    picked = values.at[here.reshape(-1)].get(mode="promise_in_bounds")
    return picked.reshape(*here.shape, *values.shape[1:])


def _lifted(node: Node, parts: Sequence[Part], slots: int) -> list[Part]:
    """`parts`, those that are known made one as they are in this step of the scan."""
    known = [part for part in parts if not is_traced(part.values)]
    traced = [part for part in parts if is_traced(part.values)]
    if not known:
        return traced
    first = known[0].values
    dtype = np.result_type(*(part.values.dtype for part in known))
    full = np.zeros((node.count * slots, *first.shape[1:]), dtype)
    for part in known:
        full[part.places] = part.values[part.rows]
    here = node.lift(full.reshape(node.count, slots, *first.shape[1:]))
    places = np.concatenate([part.places for part in known])
    lane, slot = np.divmod(places, slots)
    column = node.column_of_lane()[lane] if here.shape[0] > 1 else 0
    flat = here.reshape(-1, *here.shape[2:])
    return [*traced, Part(flat, column * slots + slot, places)]
