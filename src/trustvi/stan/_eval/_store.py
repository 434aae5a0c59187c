"""Where a variable's value is kept: whole, or in pieces that were written one by one.

A store belongs to the lane set in which its variable was declared and holds one array (a tuple's
variable has a store for each array in it). Writes to some elements don't touch the array: they
change, in a table of known integers, which row of which piece an element is found in. Reading
picks rows, so that an array filled element by element becomes one concatenation.
"""

from __future__ import annotations

import math
from collections.abc import Hashable
from typing import Any

import numpy as np

from trustvi.stan._eval._assemble import Part, assemble
from trustvi.stan._eval._lanes import Node
from trustvi.stan._values import unset
from trustvi.stan.library._namespace import is_traced

Array = Any


class Store:
    """`event` is the shape of the value; writes may address the first `depth` of its axes."""

    def __init__(
        self,
        identity: Hashable,
        owner: Node,
        event: tuple[int, ...],
        dtype: np.dtype[Any],
        depth: int,
        value: Array = None,
        is_total: bool = False,
    ) -> None:
        self.identity, self.owner, self.event, self.dtype = identity, owner, event, dtype
        self.depth = min(depth, len(event))
        self.size = math.prod(event[: self.depth])
        self.block = event[self.depth :]
        self.is_total = is_total
        """Whether it is only ever added to: the target, where no program reads it."""
        self._own = value is None
        if value is None:
            value = np.full((1, *event, 1), unset(dtype), dtype)
        self._whole: Array | None = value
        self._pieces: list[Array] = []
        self._piece = self._row = np.zeros(0, np.int64)

    # ------------------------------------------------------------------ reading

    @property
    def is_whole(self) -> bool:
        return self._whole is not None

    @property
    def is_known_whole(self) -> bool:
        return self._whole is not None and not is_traced(self._whole)

    def whole(self) -> Array:
        """The value for all lanes of the owner, axes (lanes|1, *event, draws)."""
        if self._whole is None:
            lanes = np.repeat(self.owner.all_lanes(), self.size)
            elements = np.tile(np.arange(self.size), self.owner.count)
            parts = self.locate(lanes, elements, np.arange(len(lanes)))
            rows = assemble(self.owner, parts, self.size)
            self._set_whole(rows.reshape(rows.shape[0], *self.event, rows.shape[-1]))
        self._own = False
        return self._whole

    def locate(self, lanes: np.ndarray, elements: np.ndarray, places: np.ndarray) -> list[Part]:
        """Where the elements are found: `lanes` of the owner, positions among the first axes."""
        if self._whole is not None:
            self._own = self._own and len(lanes) < self.size  # else the part may be an alias
            return [Part(self._rows_of(self._whole), self._row_of(lanes, elements), places)]
        at = lanes * self.size + elements
        piece, row = self._piece[at], self._row[at]
        parts = []
        for number in np.unique(piece):
            chosen = np.flatnonzero(piece == number)
            parts.append(Part(self._pieces[number], row[chosen], places[chosen]))
        return parts

    def _rows_of(self, whole: Array) -> Array:
        return whole.reshape(whole.shape[0] * self.size, *self.block, whole.shape[-1])

    def _row_of(self, lanes: np.ndarray, elements: np.ndarray) -> np.ndarray:
        whole = self._whole
        assert whole is not None
        if whole.shape[0] == 1:
            return elements
        at = self.owner.column_of_lane()[lanes] if is_traced(whole) else lanes
        return at * self.size + elements

    def state(self) -> Array:
        """The value of a store that is always whole, for `restore`."""
        return self.whole()

    def restore(self, state: Array) -> None:
        self._set_whole(state)

    # ------------------------------------------------------------------ writing

    def resize(self, event: tuple[int, ...]) -> None:
        """Make room for a value of other sizes, as Stan does for a variable without elements."""
        self._set_whole(np.full((1, *event, 1), unset(self.dtype), self.dtype))
        self.event, self.block = event, event[self.depth :]
        self.size = math.prod(event[: self.depth])

    def _set_whole(self, value: Array) -> None:
        self._whole, self._pieces = value, []
        self._own = False

    def set_whole(self, value: Array) -> None:
        """Assign to all elements in all lanes of the owner."""
        self._set_whole(value)

    def put(self, lanes: np.ndarray, elements: np.ndarray, rows: np.ndarray, values: Array) -> None:
        """Assign `values[rows]`; where an element is named twice the later assignment counts."""
        at = lanes * self.size + elements
        if self._fills(at, rows, values):
            self._set_whole(values.reshape(self.owner.width, *self.event, values.shape[-1]))
        elif self._whole is not None and not is_traced(self._whole, values):
            self._put_known(at, values[rows])
        else:
            self._put_piece(at, rows, values)

    def _fills(self, at: np.ndarray, rows: np.ndarray, values: Array) -> bool:
        """Whether an assignment gives every element its value, in order."""
        total = self.owner.count * self.size
        if len(at) != total or len(values) != total or self.owner.width != self.owner.count:
            return False
        order = np.arange(total)
        return np.array_equal(at, order) and np.array_equal(rows, order)

    def _put_known(self, at: np.ndarray, values: np.ndarray) -> None:
        """Write in place, into a copy that nobody else has seen."""
        lanes, whole = self.owner.count, self._whole
        assert whole is not None
        if not self._own or whole.shape[0] != lanes:
            shared = np.broadcast_to(whole, (lanes, *whole.shape[1:]))
            whole = np.array(shared, order="C")  # else reshaping copies what is written
            self._whole, self._own = whole, True
        self._rows_of(whole)[at] = values

    def _put_piece(self, at: np.ndarray, rows: np.ndarray, values: Array) -> None:
        if self._whole is not None:
            lanes = np.repeat(self.owner.all_lanes(), self.size)
            elements = np.tile(np.arange(self.size), self.owner.count)
            self._row = self._row_of(lanes, elements).copy()
            self._piece = np.zeros(len(self._row), np.int64)
            self._pieces = [self._rows_of(self._whole)]
            self._whole = None
        self._piece[at] = len(self._pieces)
        self._row[at] = rows
        self._pieces.append(values)
