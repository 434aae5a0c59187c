"""Lane sets: which iterations a piece of the program is being run for, all at once.

Lane sets form a tree. The root has one lane. A loop makes a child with one lane for each
iteration of each lane around it, in the order in which they would be run; a condition that is
known makes a child with some of the lanes; one that is traced a child with the same lanes and the
condition as a mask on draws. `up` maps lanes to those of the parent.

Inside `lax.scan` known values keep all of their lanes, also those of other steps, while traced
ones have only the lanes of one step: its *columns*. `layout[step, column]` is the lane that a
column stands for in a step, and `mask` tells where there is one; where there is none the layout
names some other lane, whose results are never used. Scans within scans have several step axes.
Outside scans columns are lanes.
"""

from __future__ import annotations

import enum
from collections.abc import Hashable, Iterator
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import numpy as np

from trustvi.stan._eval._rows import take
from trustvi.stan.library._namespace import is_traced

if TYPE_CHECKING:
    from trustvi.stan._eval._log import Log
    from trustvi.stan._eval._scan_context import ScanContext
    from trustvi.stan._eval._store import Store

Array = Any


class Kind(enum.Enum):
    ROOT = "root"
    LOOP = "loop"
    SUBSET = "subset"
    BRANCH = "branch"
    SCAN = "scan"


class Node:
    """A lane set.

    `names` are the variables that what runs in it may assign to, `sums` those among them for
    which it does nothing else than to add to them (or to multiply them).
    """

    def __init__(
        self,
        kind: Kind,
        parent: Node | None,
        count: int,
        up: np.ndarray | None = None,
        *,
        names: frozenset[Hashable] = frozenset(),
        sums: frozenset[Hashable] = frozenset(),
        layout: np.ndarray | None = None,
        mask: np.ndarray | None = None,
        columns: np.ndarray | None = None,
        scan: ScanContext | None = None,
        condition: Array = None,
    ) -> None:
        self.kind, self.parent, self.count, self.up = kind, parent, count, up
        self.names, self.sums = names, sums
        self.layout, self.mask, self.columns = layout, mask, columns
        self.scan, self.condition = scan, condition
        self.width = count if layout is None else layout.shape[-1]
        self.depth: int = 0 if parent is None else parent.depth + 1
        self.logs: dict[Store, Log] = {}
        self.position = 0
        """In a loop: which statement of its body is being run."""
        self._cache: dict[Any, Any] = {}

    # ------------------------------------------------------------------ ancestors

    def chain(self, top: Node) -> Iterator[Node]:
        """This lane set and those around it, up to but without `top`."""
        node: Node = self
        while node is not top:
            yield node
            assert node.parent is not None
            node = node.parent

    @property
    def is_barrier(self) -> bool:
        """Whether assignments to variables from outside are kept in a log first."""
        return self.kind in (Kind.LOOP, Kind.BRANCH, Kind.SCAN)

    @property
    def is_plain(self) -> bool:
        """Whether all here counts for all draws, and no scan is around."""
        return self.scan is None and self.guard is None

    def tracks(self, store: Store) -> bool:
        """Whether accesses to a variable from outside must go through the log."""
        if store.identity in self.names:
            return self.is_barrier
        return self.kind is Kind.SCAN and not store.is_known_whole

    def barrier(self, store: Store) -> Node | None:
        """The innermost lane set between here and the variable's own that tracks it."""
        for node in self.chain(store.owner):
            if node.tracks(store):
                return node
        return None

    def lanes_in(self, ancestor: Node, lanes: np.ndarray) -> np.ndarray:
        """The lanes of `ancestor` that `lanes` of this set belong to."""
        for node in self.chain(ancestor):
            if node.up is not None:
                lanes = node.up[lanes]
        return lanes

    def all_lanes(self) -> np.ndarray:
        if "lanes" not in self._cache:
            self._cache["lanes"] = np.arange(self.count)
        return self._cache["lanes"]

    # ------------------------------------------------------------------ columns

    def column_of_lane(self) -> np.ndarray:
        """For each lane the column in which its traced values stand."""
        if self.layout is None:
            return self.all_lanes()
        if "column" not in self._cache:
            column = np.zeros(self.count, np.int64)
            places = np.broadcast_to(np.arange(self.width), self.layout.shape)
            present = slice(None) if self.mask is None else self.mask
            column[self.layout[present]] = places[present]
            self._cache["column"] = column
        return self._cache["column"]

    def arranged(self, per_lane: np.ndarray) -> np.ndarray:
        """Something known for each lane as axes (*steps, columns, ...)."""
        return per_lane if self.layout is None else per_lane[self.layout]

    def lift(self, array: Array) -> Array:
        """A known array as it is when an operation with traced ones takes place."""
        if self.scan is None or is_traced(array) or array.shape[0] == 1:
            return array
        return self.lift_arranged(self.arranged(array))

    def lift_arranged(self, full: np.ndarray) -> Array:
        """The entries of this step of an array with axes (*steps, columns, ...)."""
        if self.scan is None:
            return full
        axis = len(self.scan.steps)
        first = full[(slice(None),) * axis + (slice(0, 1),)]
        return self.slice_steps(first if full.shape[axis] > 1 and equal(full, first) else full)

    def slice_steps(self, full: np.ndarray) -> Array:
        """The entries of this step of an array with axes (*steps, ...)."""
        sliced: Array = full
        if self.scan is not None:
            for scan in self.scan.from_outside():
                sliced = scan.slice(sliced)
        return sliced

    def joint(self, arrays: list[Array]) -> list[Array]:
        """Operands of one operation: if one is traced, the others as they are in this step."""
        if self.scan is None or not is_traced(*arrays):
            return arrays
        return [self.lift(array) for array in arrays]

    def from_ancestor(self, array: Array, ancestor: Node) -> Array:
        """The value that belongs to `ancestor`, for the lanes here (in the same scan)."""
        if array.shape[0] == 1 or ancestor is self:
            return array
        key = (id(array), id(ancestor))
        if key not in self._cache:
            self._cache[key] = (self._rebound(array, ancestor), array)
        return self._cache[key][0]

    def _rebound(self, array: Array, ancestor: Node) -> Array:
        if not is_traced(array):
            return array[self.lanes_in(ancestor, self.all_lanes())]
        columns = np.arange(self.width)
        for node in self.chain(ancestor):
            if node.columns is not None:
                columns = node.columns[columns]
        return take(array, columns)

    # ------------------------------------------------------------------ masks

    @property
    def guard(self) -> Array:
        """Where what is computed here counts, as (columns|1, draws|1); None for everywhere."""
        if "guard" not in self._cache:
            self._cache["guard"] = self._make_guard()
        return self._cache["guard"]

    def _make_guard(self) -> Array:
        parts: list[Array] = []
        if self.parent is not None and self.kind is not Kind.SCAN:
            above = self.parent.guard
            if above is not None:
                parts.append(self.from_ancestor(above, self.parent))
        if self.condition is not None:
            parts.append(self.condition)
        if self.mask is not None and (self.parent is None or self.mask is not self.parent.mask):
            parts.append(self.lift_arranged(self.mask[..., None]))
        if not parts:
            return None
        guard = parts[0]
        for part in parts[1:]:
            guard = guard & part
        return guard

    def guarded(self, array: Array, by_lane: bool = False) -> Array:
        """`array`, its derivatives cut off where what is computed here doesn't count.

        However infinite the derivative of an operation on it is there, a selection makes it 0.
        A container that is the same in all lanes stays so (unless `by_lane`), and is only cut off
        where it counts in no lane: operations on it guard it again when they tell lanes apart.
        """
        if not is_traced(array) or not jnp.issubdtype(array.dtype, jnp.inexact):
            return array
        guard = self.guard
        if guard is None:
            return array
        together = array.shape[0] == 1 < guard.shape[0] and array.size > array.shape[-1]
        if together and not by_lane:
            guard = guard.any(axis=0, keepdims=True)
        key = ("guarded", id(array), by_lane)
        if key not in self._cache:
            shape = (guard.shape[0], *(1,) * (array.ndim - 2), guard.shape[1])
            cut = jnp.where(guard.reshape(shape), array, jax.lax.stop_gradient(array))
            self._cache[key] = (cut, array)
        return self._cache[key][0]

    @property
    def tells_lanes_apart(self) -> bool:
        """Whether results count in some lanes and not in others, by draw."""
        return self.guard is not None and self.guard.shape[0] > 1


def equal(array: np.ndarray, other: np.ndarray) -> bool:
    """Whether two arrays hold the same, not-a-numbers included, one broadcast to the other."""
    same = array == other
    if array.dtype.kind in "fc":
        same |= np.isnan(array) & np.isnan(other)
    return bool(same.all())


# --------------------------------------------------------------------------- making lane sets


def root() -> Node:
    return Node(Kind.ROOT, None, 1)


def loop(
    parent: Node, trips: np.ndarray, names: frozenset[Hashable], sums: frozenset[Hashable]
) -> Node:
    """One lane for each of `trips[lane]` iterations."""
    up = np.repeat(parent.all_lanes(), trips)
    if parent.layout is None:
        return Node(Kind.LOOP, parent, len(up), up, names=names, sums=sums, columns=up)
    first = np.cumsum(trips) - trips
    step = np.arange(max(1, trips.max(initial=1)))
    lanes = first[parent.layout][..., None] + step
    present = np.broadcast_to(step < trips[parent.layout][..., None], lanes.shape)
    if parent.mask is not None:
        present = present & parent.mask[..., None]
    columns = np.repeat(np.arange(parent.width), len(step))
    node = _arranged(Kind.LOOP, parent, len(up), up, lanes, present, columns)
    node.names, node.sums = names, sums
    return node


def subset(parent: Node, lanes: np.ndarray) -> Node:
    """Some of the lanes, `lanes` in ascending order."""
    if len(lanes) == parent.count:
        return parent
    if parent.layout is None:
        return Node(Kind.SUBSET, parent, len(lanes), lanes, columns=lanes)
    place = np.full(parent.count, -1)
    place[lanes] = np.arange(len(lanes))
    found = place[parent.layout]
    present = found >= 0 if parent.mask is None else (found >= 0) & parent.mask
    shape = (*found.shape, 1)
    return _arranged(
        Kind.SUBSET,
        parent,
        len(lanes),
        lanes,
        found.reshape(shape),
        present.reshape(shape),
        np.arange(parent.width),
    )


def _arranged(
    kind: Kind,
    parent: Node,
    count: int,
    up: np.ndarray,
    lanes: np.ndarray,
    present: np.ndarray,
    columns: np.ndarray,
) -> Node:
    """A lane set in a scan, without the columns that stand for no lane in any step."""
    steps = lanes.shape[:-2]
    lanes, present = lanes.reshape(*steps, -1), present.reshape(*steps, -1)
    used = np.flatnonzero(present.reshape(-1, present.shape[-1]).any(axis=0))
    layout, present = filled(lanes[..., used], present[..., used]), present[..., used]
    mask = None if present.all() else present
    if mask is not None and parent.mask is not None and np.array_equal(mask, parent.mask):
        mask = parent.mask
    return Node(
        kind,
        parent,
        count,
        up,
        layout=layout,
        mask=mask,
        columns=columns[used],
        scan=parent.scan,
    )


def filled(lanes: np.ndarray, present: np.ndarray) -> np.ndarray:
    """`lanes`, with some lane of the same column where none is present."""
    flat, there = lanes.reshape(-1, lanes.shape[-1]), present.reshape(-1, lanes.shape[-1])
    some = flat[there.argmax(axis=0), np.arange(flat.shape[1])] if len(flat) else flat
    return np.where(there, flat, some).reshape(lanes.shape)


def branch(parent: Node, condition: Array, names: frozenset[Hashable]) -> Node:
    """The same lanes, where `condition`, of shape (columns|1, draws|1), holds."""
    return Node(
        Kind.BRANCH,
        parent,
        parent.count,
        names=names,
        layout=parent.layout,
        mask=parent.mask,
        scan=parent.scan,
        condition=condition,
    )
