"""Values put together from rows of several arrays, found for each lane by what is known.

A request has places, each of which wants one row; usually some slots for each lane of a lane
set, lane by lane. A part answers some of its places with rows of one array.
"""

from __future__ import annotations

import functools
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


def distinct(parts: Sequence[Part], size: int) -> tuple[list[Array], np.ndarray]:
    """The arrays of all parts, and for each place its row where they stand one after another."""
    starts: dict[int, int] = {}
    arrays: list[Array] = []
    index = np.zeros(size, np.int64)
    start = 0
    for part in parts:
        if id(part.values) not in starts:
            starts[id(part.values)] = start
            arrays.append(part.values)
            start += len(part.values)
        index[part.places] = part.rows + starts[id(part.values)]
    return arrays, index


def assemble_flat(parts: Sequence[Part], size: int) -> Array:
    """All answers as rows; outside scans only, where lanes and columns are the same."""
    arrays, index = distinct(parts, size)
    return take(concatenate(arrays), index)


def assemble(node: Node, parts: Sequence[Part], slots: int) -> Array:
    """The answers as an array with axes (lanes|1, slots, *block, draws)."""
    if is_traced(*(part.values for part in parts)) and node.layout is not None:
        return _assemble_in_scan(node, parts, slots)
    arrays, index = distinct(parts, node.count * slots)
    grid = _collapsed(index.reshape(node.count, slots))
    values = concatenate(arrays)
    return take(values, grid.ravel()).reshape(*grid.shape, *values.shape[1:])


def _collapsed(grid: np.ndarray) -> np.ndarray:
    """`grid` with one row if all are the same."""
    return grid[:1] if len(grid) > 1 and (grid == grid[:1]).all() else grid


# --------------------------------------------------------------------------- in a scan


def arrangement_of(node: Node, slots: int) -> np.ndarray | None:
    """In a scan, which place of a request stands in which step and column: (*steps, columns)."""
    if node.layout is None:
        return None
    places = node.layout[..., None] * slots + np.arange(slots)
    return places.reshape(*node.layout.shape[:-1], -1)


def _assemble_in_scan(node: Node, parts: Sequence[Part], slots: int) -> Array:
    arrangement = arrangement_of(node, slots)
    assert arrangement is not None
    rows = assemble_columns(node, parts, arrangement, node.count * slots)
    return rows.reshape(node.width, slots, *rows.shape[1:])


def assemble_columns(
    node: Node, parts: Sequence[Part], arrangement: np.ndarray, size: int
) -> Array:
    """This step's answers as rows, one for each column of the arrangement.

    A place of -1 stands for none: its row is any.
    """
    parts = _lifted(node, parts, arrangement, size)
    arrays, index = distinct(parts, size)
    values = concatenate(arrays)
    index = np.append(index, 0)[arrangement]
    steps = index.reshape(-1, index.shape[-1])
    if (steps == steps[:1]).all():
        return take(values, steps[0])
    return values.at[node.slice_steps(index)].get(mode="promise_in_bounds")


def _lifted(node: Node, parts: Sequence[Part], arrangement: np.ndarray, size: int) -> list[Part]:
    """`parts`, those that are known made one array of this step."""
    known = [part for part in parts if not is_traced(part.values)]
    traced = [part for part in parts if is_traced(part.values)]
    if not known:
        return traced
    block = known[0].values.shape[1:]
    dtype = functools.reduce(np.promote_types, (part.values.dtype for part in known))
    full = np.zeros((size + 1, *block), dtype)
    for part in known:
        full[part.places] = part.values[part.rows]
    here = node.slice_steps(full[arrangement])
    places = np.concatenate([part.places for part in known])
    column = np.zeros(size + 1, np.int64)
    column[arrangement] = np.arange(arrangement.shape[-1])
    return [*traced, Part(here, column[places], places)]
