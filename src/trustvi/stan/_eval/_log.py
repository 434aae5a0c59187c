"""What the lanes of a loop or branch write to variables from outside, until it is done.

Statements are run for all lanes before the next statement, but must mean what they mean when the
lanes are run one after another. So each write is recorded with its lane, and a read finds, of the
writes so far, the latest by the same or an earlier lane. If a write comes for which a later lane
has already read, the loop carries a dependence and this way of running it is given up. All of
this is known integers. An element is named by a key, which tells it apart for each lane around
the loop.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np

from trustvi.stan._eval._assemble import Part
from trustvi.stan._eval._lanes import Kind, Node
from trustvi.stan._eval._signals import CarriedError
from trustvi.stan._eval._store import Store
from trustvi.stan.library._namespace import is_traced

Array = Any
SET, ADD, MULTIPLY = "set", "add", "multiply"


class Entry(NamedTuple):
    """`values[rows]` written to (or added to) the elements `keys` by `lanes`."""

    kind: str
    lanes: np.ndarray
    keys: np.ndarray
    rows: np.ndarray
    values: Array
    grid: tuple[Node, int] | None
    """The lane set that wrote, and how many rows each of its lanes wrote, if equally many."""


class Reads(NamedTuple):
    """Reads by `lanes` that found what the lanes `source` had written (-1: nobody in the loop)."""

    position: int
    lanes: np.ndarray
    keys: np.ndarray
    source: np.ndarray


class Found(NamedTuple):
    """For each request the entry (-1 for none), its row, and the lane that wrote it."""

    entry: np.ndarray
    row: np.ndarray
    lane: np.ndarray


@dataclass(slots=True)
class _Table:
    """All of one kind of entries sorted by key, then lane, then order."""

    codes: np.ndarray
    entry: np.ndarray
    row: np.ndarray


class Log:
    """The accesses that the lanes of `node` made to one variable."""

    def __init__(self, node: Node, store: Store) -> None:
        self.node, self.store = node, store
        self.entries: list[Entry] = []
        self.reads: list[Reads] = []
        self._tables: dict[bool, _Table] = {}
        loop = node.parent if node.kind is Kind.SCAN else node
        self._key_lane = None
        if loop is not None and loop.kind is not Kind.BRANCH and store.owner is not loop:
            self._key_lane = loop.up

    def keys(self, lanes: np.ndarray, elements: np.ndarray) -> np.ndarray:
        outer = lanes if self._key_lane is None else self._key_lane[lanes]
        return outer * self.store.size + elements

    def split(self, keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The lane around the loop, and the element, of each key."""
        return np.divmod(keys, max(1, self.store.size))

    @property
    def is_known(self) -> bool:
        return not is_traced(*(entry.values for entry in self.entries))

    def kinds(self) -> set[str]:
        return {entry.kind for entry in self.entries}

    # ------------------------------------------------------------------ finding

    def _codes(self, keys: np.ndarray, lanes: np.ndarray) -> np.ndarray:
        return keys * self.node.count + lanes

    def _table(self, sets: bool) -> _Table:
        if sets not in self._tables:
            self._tables[sets] = self._sorted(sets)
        return self._tables[sets]

    def _sorted(self, sets: bool) -> _Table:
        chosen = [(i, e) for i, e in enumerate(self.entries) if (e.kind == SET) is sets]
        if not chosen:
            empty = np.zeros(0, np.int64)
            return _Table(empty, empty, empty)
        codes = np.concatenate([self._codes(e.keys, e.lanes) for _, e in chosen])
        entry = np.concatenate([np.full(len(e.rows), i) for i, e in chosen])
        row = np.concatenate([e.rows for _, e in chosen])
        if not (np.diff(codes) >= 0).all():
            order = np.argsort(codes, kind="stable")
            codes, entry, row = codes[order], entry[order], row[order]
        return _Table(codes, entry, row)

    def find(self, keys: np.ndarray, lanes: np.ndarray, sets: bool = True) -> Found:
        """The latest write to each key by its lane or an earlier one."""
        last = self.entries[-1] if self.entries else None
        if last is not None and sets and last.kind == SET and len(last.keys) == len(keys):
            same = np.array_equal(last.lanes, lanes) and np.array_equal(last.keys, keys)
            if same and last.grid is not None and last.grid[1] == 1:
                return Found(np.full(len(keys), len(self.entries) - 1), last.rows, lanes)
        return self._lookup(keys, lanes, sets, "right")

    def _lookup(
        self, keys: np.ndarray, lanes: np.ndarray, sets: bool, side: Literal["left", "right"]
    ) -> Found:
        table = self._table(sets)
        if not len(table.codes):
            nothing = np.full(len(keys), -1)
            return Found(nothing, nothing, nothing)
        at = np.searchsorted(table.codes, self._codes(keys, lanes), side=side) - 1
        key, lane = np.divmod(table.codes[at], self.node.count)
        ok = (at >= 0) & (key == keys)
        return Found(
            np.where(ok, table.entry[at], -1),
            np.where(ok, table.row[at], -1),
            np.where(ok, lane, -1),
        )

    def find_before(self, keys: np.ndarray, lanes: np.ndarray, sets: bool = True) -> Found:
        """The latest write to each key by an earlier lane."""
        return self._lookup(keys, lanes, sets, "left")

    def own(self, keys: np.ndarray, lanes: np.ndarray) -> np.ndarray:
        """Whether the latest write that each lane sees is its own."""
        return self.find(keys, lanes).lane == lanes

    def parts(self, found: Found, chosen: np.ndarray, places: np.ndarray) -> list[Part]:
        """The answers to the requests in `chosen` by the entries found."""
        parts = []
        for number in np.unique(found.entry[chosen]):
            here = chosen[found.entry[chosen] == number]
            parts.append(Part(self.entries[number].values, found.row[here], places[here]))
        return parts

    # ------------------------------------------------------------------ recording

    def record(self, entry: Entry) -> None:
        """Add a write, unless a later lane has read what it would change."""
        self._verify(entry)
        self.entries.append(entry)
        self._tables.pop(entry.kind == SET, None)

    def record_reads(self, lanes: np.ndarray, keys: np.ndarray, source: np.ndarray) -> None:
        """Note reads of what other lanes wrote, or nobody in the loop."""
        if self.node.kind is not Kind.BRANCH and len(lanes):
            self.reads.append(Reads(self.node.position, lanes, keys, source))

    def truncate(self, entries: int, reads: int) -> None:
        """Go back to when there were so many entries and reads."""
        if len(self.entries) > entries:
            del self.entries[entries:]
            self._tables.clear()
        del self.reads[reads:]

    def is_pending(self, found: Found, keys: np.ndarray, lanes: np.ndarray) -> bool:
        """Whether a key was added to since the assignments `found`."""
        if self.kinds() <= {SET}:
            return False
        pending = self.find(keys, lanes, sets=False)
        later = (pending.lane > found.lane) | (
            (pending.lane == found.lane) & (pending.entry > found.entry)
        )
        return bool((later & (pending.entry >= 0)).any())

    def _verify(self, entry: Entry) -> None:
        """A write by lane i conflicts with a read by j > i that found a lane up to i."""
        if self.node.kind is not Kind.LOOP:
            return
        conflicts = [reads.position for reads in self.reads if self._overtaken(reads, entry)]
        if conflicts:
            known = self.is_known and not is_traced(entry.values)
            raise CarriedError(self.node, self.store, min(conflicts), known)

    def _overtaken(self, reads: Reads, entry: Entry) -> bool:
        """Whether any of `reads` should have seen `entry`."""
        count = self.node.count
        codes = self._codes(reads.keys, reads.lanes)
        order = np.argsort(codes, kind="stable")
        codes = codes[order]
        # By key, so that the least source among the reads of one key by lanes from here on is
        # the least from here to the end: keys further on have larger numbers throughout.
        source = (reads.keys * (count + 1) + reads.source + 1)[order]
        least = np.minimum.accumulate(source[::-1])[::-1]
        at = np.searchsorted(codes, self._codes(entry.keys, entry.lanes), side="right")
        inside = at < len(codes)
        at = np.minimum(at, len(codes) - 1)
        same = inside & (codes[at] // count == entry.keys)
        return bool((same & (least[at] <= entry.keys * (count + 1) + entry.lanes + 1)).any())

    # ------------------------------------------------------------------ results

    def final(self) -> tuple[np.ndarray, Found]:
        """The keys that were assigned to, and the last assignment of each."""
        table = self._table(True)
        key, lane = np.divmod(table.codes, max(1, self.node.count))
        last = np.flatnonzero(np.append(np.diff(key) != 0, True)) if len(key) else key
        return key[last], Found(table.entry[last], table.row[last], lane[last])

    def written_by_lane(self, start: int) -> tuple[np.ndarray, np.ndarray]:
        """Each lane with each element it has assigned to, entries before `start` left out."""
        sets = [entry for entry in self.entries[start:] if entry.kind == SET]
        if not sets:
            return np.zeros(0, np.int64), np.zeros(0, np.int64)
        codes = np.unique(np.concatenate([self._codes(e.keys, e.lanes) for e in sets]))
        keys, lanes = np.divmod(codes, self.node.count)
        return lanes, self.split(keys)[1]

    def surviving_by_lane(self, number: int) -> np.ndarray:
        """Which rows of an accumulation their own lane has not assigned over since."""
        entry = self.entries[number]
        found = self.find(entry.keys, entry.lanes)
        return np.flatnonzero((found.lane != entry.lanes) | (found.entry < number))

    def surviving(self, number: int) -> np.ndarray:
        """Which rows of the accumulation `number` come after the last assignment of their key."""
        entry = self.entries[number]
        keys, found = self.final()
        if not len(keys):
            return np.arange(len(entry.rows))
        at = np.minimum(np.searchsorted(keys, entry.keys), len(keys) - 1)
        lane, order = found.lane[at], found.entry[at]
        later = (entry.lanes > lane) | ((entry.lanes == lane) & (number > order))
        return np.flatnonzero((keys[at] != entry.keys) | later)
