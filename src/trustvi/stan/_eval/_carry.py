"""What a scan carries from step to step, and where it is put.

For each element that a step wants from the steps before it is known which step wrote it. An
element that is the same in all steps is a *cell* of the carry. Where the element moves on with
the steps and was written a fixed number of steps before (x[t - 2]), the last values written are
carried, as many as that. All else carries the whole variable.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from trustvi.stan._eval._lanes import Node
from trustvi.stan._eval._log import Found, Log
from trustvi.stan._eval._memory import log_of
from trustvi.stan._eval._scan_context import Wanted
from trustvi.stan._eval._signals import NotScannableError
from trustvi.stan._eval._store import Store

LONGEST_LAG = 16
"""What was written more steps ago is found in the whole variable."""
CELL, WHOLE, IMPORTED = 0, -1, -2
"""Kinds of columns besides lags, which are positive."""


@dataclass(frozen=True, slots=True)
class Columns:
    """Elements of one variable that steps want: `elements[step, i]` (-1: not wanted), of the
    column `places[i]` of the scan's lane set. `kind` is a lag, or one of the kinds above."""

    store: Store
    kind: int
    elements: np.ndarray
    places: np.ndarray

    @property
    def count(self) -> int:
        return len(self.places)

    def present(self) -> tuple[np.ndarray, np.ndarray]:
        """Step and number of what is wanted."""
        steps, numbers = np.nonzero(self.elements >= 0)
        return steps, numbers

    def requests(self, node: Node, shift: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Lanes, elements, and their arrangement by step and column, `shift` steps earlier."""
        wanted = self.elements[shift:]
        steps, numbers = np.nonzero(wanted >= 0)
        lanes = lane_grid(node)[steps, self.places[numbers]]
        arrangement = np.full(self.elements.shape, -1)
        arrangement[steps, numbers] = np.arange(len(steps))
        return lanes, wanted[steps, numbers], arrangement


def lane_grid(node: Node) -> np.ndarray:
    """The lane by step and column; inside another scan, of the first of its steps."""
    assert node.layout is not None
    return node.layout.reshape(-1, *node.layout.shape[-2:])[0]


def columns_of(node: Node, wanted: Sequence[Wanted]) -> list[Columns]:
    """What all reads want, each column once, by kind."""
    found: list[Columns] = []
    stores = list(dict.fromkeys(each.store for each in wanted))
    for store in stores:
        elements, places = _distinct([each for each in wanted if each.store is store])
        elements, places = _apart(node, store, elements, places)
        kinds = np.array(
            [_kind(node, store, elements[:, i], places[i]) for i in range(len(places))]
        )
        # What comes later counts more. A cell also has steps before it is first written, when it
        # holds nothing; what is imported counts more than what steps before have left.
        for kind in sorted(
            set(kinds), key=(CELL, *range(1, LONGEST_LAG + 1), WHOLE, IMPORTED).index
        ):
            chosen = kinds == kind
            found.append(Columns(store, int(kind), elements[:, chosen], places[chosen]))
    return found


def _distinct(wanted: Sequence[Wanted]) -> tuple[np.ndarray, np.ndarray]:
    """Each column once; those of one element in whatever steps are one."""
    columns: dict[tuple[int, Any], np.ndarray] = {}
    for each in wanted:
        for elements, places in zip(*_by_column(each), strict=True):
            there = elements >= 0
            if there.any():
                place = places[there]
                if (place != place[0]).any():
                    raise NotScannableError
                first = elements[there][0]
                same = (elements[there] == first).all()
                key = (int(place[0]), int(first) if same else elements.tobytes())
                before = columns.setdefault(key, elements)
                columns[key] = np.maximum(before, elements)
    places = np.array([place for place, _ in columns], np.int64)
    return np.stack(list(columns.values()), axis=1), places


def _apart(
    node: Node, store: Store, elements: np.ndarray, places: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Columns whose value changes from outside in later steps made two: what steps before have
    left, and what is imported."""
    found: list[tuple[np.ndarray, int]] = []
    for column, place in zip(elements.T, places, strict=True):
        steps = np.flatnonzero(column >= 0)
        inside, outside = sources(node, store, lane_grid(node)[steps, place], column[steps])
        earlier = (inside.lane >= outside.lane) & (inside.lane >= 0)
        if earlier.all() or not earlier.any() or _starts_once(outside, earlier):
            found.append((column, place))
            continue
        for part in (steps[earlier], steps[~earlier]):
            alone = np.full_like(column, -1)
            alone[part] = column[part]
            found.append((alone, place))
    columns, numbers = zip(*found, strict=True)
    return np.stack(columns, axis=1), np.array(numbers, np.int64)


def _starts_once(outside: Found, earlier: np.ndarray) -> bool:
    """Whether what is not from earlier steps is one value, wanted in the first steps only."""
    start = np.flatnonzero(~earlier)
    if (outside.lane[start] < 0).all():
        return True
    first = start[0]
    same = (outside.entry[start] == outside.entry[first]) & (
        outside.row[start] == outside.row[first]
    )
    return bool(same.all() and start[-1] < len(start))


def _by_column(wanted: Wanted) -> Iterator[np.ndarray]:
    """Elements and places with one row for each column, the same for all steps around."""
    for each in (wanted.elements, wanted.places):
        flat = each.reshape(-1, *each.shape[-2:])
        if not (flat == flat[:1]).all():
            raise NotScannableError
        yield flat[0].T


def _kind(node: Node, store: Store, elements: np.ndarray, place: int) -> int:
    """How to carry one column."""
    steps = np.flatnonzero(elements >= 0)
    lanes, wanted = lane_grid(node)[steps, place], elements[steps]
    inside, outside = sources(node, store, lanes, wanted)
    earlier = inside.lane >= outside.lane
    earlier &= inside.lane >= 0
    if not earlier.any():
        return IMPORTED
    if (wanted == wanted[0]).all():
        return CELL
    lags = (lanes - inside.lane)[earlier]
    lag = int(lags[0])
    if (lags == lag).all() and lag <= LONGEST_LAG and not (steps[~earlier] >= lag).any():
        return lag
    return WHOLE


def sources(
    node: Node, store: Store, lanes: np.ndarray, elements: np.ndarray
) -> tuple[Found, Found]:
    """Who wrote the elements last: earlier steps of the scan, and lanes before it was run."""
    log = log_of(node, store)
    inside = log.find_before(log.keys(lanes, elements), lanes)
    outer = outer_log(node, store)
    if outer is None:
        nothing = np.full(len(lanes), -1)
        return inside, Found(nothing, nothing, nothing)
    return inside, outer.find(outer.keys(lanes, elements), lanes)


def outer_log(node: Node, store: Store) -> Log | None:
    """The log of the loop that a scan is part of, if the variable is from outside the loop."""
    loop = node.parent
    assert loop is not None
    return log_of(loop, store) if store.owner is not loop and loop.tracks(store) else None
