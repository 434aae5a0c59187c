"""Reading and writing variables from whatever lane set the program is in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from trustvi.stan._eval._assemble import Part, arrangement_of, assemble, assemble_flat
from trustvi.stan._eval._lanes import Kind, Node, subset
from trustvi.stan._eval._log import ADD, MULTIPLY, SET, Entry, Found, Log
from trustvi.stan._eval._rows import take
from trustvi.stan._eval._signals import (
    CarriedError,
    CarriedInScanError,
    NotScannableError,
    Signal,
)
from trustvi.stan._eval._store import Store
from trustvi.stan._values import with_dtype
from trustvi.stan.library._namespace import is_traced

Array = Any


@dataclass(frozen=True, slots=True)
class Selection:
    """Elements of a store by lane, as positions among the axes that writes may address.

    `elements` has axes (lanes|1, slots); the slots make up event axes of the sizes `shape`.
    """

    elements: np.ndarray
    shape: tuple[int, ...]

    def for_lanes(self, count: int) -> np.ndarray:
        """The elements lane by lane, flat."""
        full = np.broadcast_to(self.elements, (count, self.elements.shape[1]))
        return np.ascontiguousarray(full).reshape(-1)


def everything(store: Store) -> Selection:
    return Selection(np.arange(store.size)[None], store.event[: store.depth])


def log_of(node: Node, store: Store) -> Log:
    if store not in node.logs:
        node.logs[store] = Log(node, store)
    return node.logs[store]


# --------------------------------------------------------------------------- reading


def read(store: Store, node: Node, selection: Selection | None = None) -> Array:
    """The value of a variable (or of the elements selected) in each lane."""
    value = read_raw(store, node, selection)
    return node.guarded(value) if comes_under_guard(store, node) else value


def read_raw(store: Store, node: Node, selection: Selection | None = None) -> Array:
    """`read`, without cutting off derivatives where what is computed doesn't count."""
    if selection is None and node.barrier(store) is None:
        return node.from_ancestor(store.whole(), store.owner)
    chosen = everything(store) if selection is None else selection
    slots = chosen.elements.shape[1]
    rows = read_rows(store, node, chosen.for_lanes(node.count), slots)
    return rows.reshape(rows.shape[0], *chosen.shape, *rows.shape[2:])


def comes_under_guard(store: Store, node: Node) -> bool:
    return any(
        each.condition is not None or each.mask is not None for each in node.chain(store.owner)
    )


def read_rows(store: Store, node: Node, elements: np.ndarray, slots: int) -> Array:
    """`slots` elements for each lane, as rows: axes (lanes|1, slots, *block, draws)."""
    if slots == 0:
        return np.zeros((1, 0, *store.block, 1), store.dtype)
    lanes = np.repeat(node.all_lanes(), slots)
    places = np.arange(len(lanes))
    parts = resolve(store, node, arrangement_of(node, slots), lanes, elements, places)
    return assemble(node, parts, slots)


def read_flat(store: Store, node: Node, lanes: np.ndarray, elements: np.ndarray) -> Array:
    """One row for each pair of a lane and an element; outside scans only."""
    if node.scan is not None:
        raise NotScannableError
    parts = resolve(store, node, None, lanes, elements, np.arange(len(lanes)))
    return assemble_flat(parts, len(lanes))


def resolve(
    store: Store,
    node: Node,
    arrangement: np.ndarray | None,
    lanes: np.ndarray,
    elements: np.ndarray,
    places: np.ndarray,
) -> list[Part]:
    """Where the elements are found that `lanes` of `node` ask for."""
    barrier = node.barrier(store)
    if barrier is None:
        return store.locate(node.lanes_in(store.owner, lanes), elements, places)
    lanes = node.lanes_in(barrier, lanes)
    log = log_of(barrier, store)
    keys = log.keys(lanes, elements)
    found = log.find(keys, lanes)
    scan = barrier.kind is Kind.SCAN
    known = found.lane == lanes if scan else found.entry >= 0
    _settle(log, found, keys, lanes)
    parts = log.parts(found, np.flatnonzero(known), places)
    rest = np.flatnonzero(~known)
    if len(rest) == 0:
        return parts
    if scan:
        assert barrier.scan is not None
        assert arrangement is not None
        outside = barrier.scan.outside(
            store, barrier, arrangement, lanes[rest], elements[rest], places[rest]
        )
        return parts + outside
    assert barrier.parent is not None
    up = lanes[rest] if barrier.up is None else barrier.up[lanes[rest]]
    above = resolve(store, barrier.parent, arrangement, up, elements[rest], places[rest])
    return parts + above


def _settle(log: Log, found: Found, keys: np.ndarray, lanes: np.ndarray) -> None:
    """See that no sum is pending on what is read, and note reads of what others write."""
    if log.is_pending(found, keys, lanes):
        raise carried(log)
    if log.node.kind is Kind.LOOP:
        foreign = np.flatnonzero(found.lane != lanes)
        log.record_reads(lanes[foreign], keys[foreign], found.lane[foreign])


def carried(log: Log) -> Signal:
    """The signal that the innermost loop around which shares this variable can't be lanes."""
    node = log.node
    for each in node.chain(log.store.owner):
        if each.kind is not Kind.BRANCH and each.tracks(log.store):
            node = each
            break
    if node.kind is Kind.SCAN:
        return CarriedInScanError(log.store)
    return CarriedError(node, log.store, node.position, log.is_known)


# --------------------------------------------------------------------------- writing

Grid = tuple[Node, int] | None
"""The lane set that writes and the slots of each lane, where a write has that form."""


def write(store: Store, node: Node, value: Array, selection: Selection | None = None) -> None:
    """Assign `value`, axes (lanes|1, *event, draws), to a variable or the elements selected."""
    value = with_dtype(value, store.dtype)
    if selection is None and node is store.owner:
        store.set_whole(value)
        return
    chosen = everything(store) if selection is None else selection
    lanes, elements, rows, values = flattened(store, node, value, chosen)
    if len(rows):
        grid = (node, chosen.elements.shape[1])
        write_flat(store, node, grid, lanes, elements, rows, values)


def flattened(
    store: Store, node: Node, value: Array, chosen: Selection
) -> tuple[np.ndarray, np.ndarray, np.ndarray, Array]:
    """Lanes, elements, rows and values: a value taken apart into rows."""
    slots = chosen.elements.shape[1]
    values = value.reshape(value.shape[0] * slots, *store.block, value.shape[-1])
    lanes = np.repeat(node.all_lanes(), slots)
    slot = np.tile(np.arange(slots), node.count)
    if value.shape[0] == 1:
        rows = slot
    else:
        at = node.column_of_lane()[lanes] if is_traced(value) else lanes
        rows = at * slots + slot
    return lanes, chosen.for_lanes(node.count), rows, values


def write_flat(
    store: Store,
    node: Node,
    grid: Grid,
    lanes: np.ndarray,
    elements: np.ndarray,
    rows: np.ndarray,
    values: Array,
) -> None:
    """Assign `values[rows]` to the elements, each by its lane of `node`."""
    barrier = node.barrier(store)
    if barrier is None:
        store.put(node.lanes_in(store.owner, lanes), elements, rows, values)
        return
    lanes = node.lanes_in(barrier, lanes)
    log = log_of(barrier, store)
    log.record(Entry(SET, lanes, log.keys(lanes, elements), rows, values, grid))


# --------------------------------------------------------------------------- sums and products


def accumulate(
    store: Store, node: Node, value: Array, kind: str, selection: Selection | None = None
) -> None:
    """Add to a variable, or multiply it; where lanes share it, for all of them together."""
    value = with_dtype(value, store.dtype)
    chosen = everything(store) if selection is None else selection
    lanes, elements, rows, values = flattened(store, node, value, chosen)
    barrier = node.barrier(store)
    if barrier is not None and _shared(barrier, store, kind, node, lanes, elements):
        lanes = node.lanes_in(barrier, lanes)
        log = log_of(barrier, store)
        grid = (node, chosen.elements.shape[1])
        log.record(Entry(kind, lanes, log.keys(lanes, elements), rows, values, grid))
        return
    write(store, node, combined(kind, read(store, node, selection), value, node), selection)


def add_rows(
    store: Store,
    node: Node,
    lanes: np.ndarray,
    elements: np.ndarray,
    rows: np.ndarray,
    values: Array,
    kind: str,
) -> None:
    """Accumulate `values[rows]`, each for a lane of the loop `node`, whose turn it is."""
    if node.tracks(store) and store.owner is not node:
        log = log_of(node, store)
        log.record(Entry(kind, lanes, log.keys(lanes, elements), rows, values, None))
    else:
        accumulate_flat(store, node, lanes, elements, take(values, rows), kind)


def accumulate_total(store: Store, node: Node, value: Array) -> None:
    """Add to the target what is already summed over all lanes here, axes (1, draws|1)."""
    first = np.zeros(1, np.int64)
    barrier = node.barrier(store)
    if barrier is None:
        write(store, store.owner, combined(ADD, store.whole(), value, node))
        return
    lanes = node.lanes_in(barrier, first)
    log = log_of(barrier, store)
    log.record(Entry(ADD, lanes, log.keys(lanes, first), first, value, None))


def combined(kind: str, left: Array, right: Array, node: Node) -> Array:
    left, right = node.joint([left, right])
    return left + right if kind == ADD else left * right


def _shared(
    barrier: Node, store: Store, kind: str, node: Node, lanes: np.ndarray, elements: np.ndarray
) -> bool:
    """Whether an accumulation must wait for the other lanes' (else: read, combine, write)."""
    log = log_of(barrier, store)
    at = node.lanes_in(barrier, lanes)
    own = log.own(log.keys(at, elements), at)
    if own.all() or (own.any() and not _between_iterations(barrier, store)):
        return False
    other = MULTIPLY if kind == ADD else ADD
    if own.any() or other in log.kinds():
        raise carried(log)
    return _is_sum(barrier, store)


def _between_iterations(barrier: Node, store: Store) -> bool:
    """Whether iterations of a loop share a variable, rather than branches of a condition only."""
    chain = barrier.chain(store.owner)
    return any(node.kind is not Kind.BRANCH and node.tracks(store) for node in chain)


def _is_sum(barrier: Node, store: Store) -> bool:
    """Whether what shares a variable between its lanes does nothing but accumulate in it.

    A scan runs part of its loop's body only: the rest must do nothing else either.
    """
    within = store.is_total
    for node in barrier.chain(store.owner):
        if node.kind is not Kind.BRANCH and node.tracks(store):
            within = store.is_total or store.identity in node.sums
            if not within or node.kind is Kind.LOOP:
                return within
    return within


def accumulate_flat(
    store: Store, node: Node, lanes: np.ndarray, elements: np.ndarray, values: Array, kind: str
) -> None:
    """Add `values`, one row for each pair of a lane of `node` and an element (all different)."""
    rows = np.arange(len(lanes))
    barrier = node.barrier(store)
    if barrier is not None:
        log, at = log_of(barrier, store), node.lanes_in(barrier, lanes)
        own = log.own(log.keys(at, elements), at)
        if not own.any() and _is_sum(barrier, store):
            entry = Entry(kind, at, log.keys(at, elements), rows, values, None)
            log.record(entry)
            return
        if own.any() and not own.all() and _between_iterations(barrier, store):
            raise carried(log)
    before = read_flat(store, node, lanes, elements)
    after = combined(kind, before, values, node)
    write_flat(store, node, None, lanes, elements, rows, after)


def regular(node: Node, lanes: np.ndarray) -> tuple[Node, int]:
    """The lane set with just these lanes, and how often each occurs, if equally often."""
    distinct, counts = np.unique(lanes, return_counts=True)
    if (counts != counts[0]).any() or not (np.diff(lanes) >= 0).all():
        raise NotScannableError
    return subset(node, distinct), int(counts[0])
