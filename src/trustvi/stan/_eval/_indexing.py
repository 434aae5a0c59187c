"""Indices: which elements they pick, in each lane, and picking them."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from trustvi.stan import _ast as ast
from trustvi.stan import _types as t
from trustvi.stan._eval._assemble import Part, assemble
from trustvi.stan._eval._dispatch import evaluate
from trustvi.stan._eval._frame import Frame
from trustvi.stan._eval._lanes import Node
from trustvi.stan._eval._memory import Selection
from trustvi.stan._eval._rows import take
from trustvi.stan._eval._signals import RaggedError
from trustvi.stan._values import Array, same_everywhere
from trustvi.stan.library._checks import require_index
from trustvi.stan.library._namespace import is_traced, namespace


@dataclass(frozen=True, slots=True)
class Pick:
    """Positions (from 0) along one axis: axes (lanes|1, count, draws|1).

    A single index has count 1, and its axis goes away.
    """

    places: Array
    single: bool

    @property
    def is_known(self) -> bool:
        return not is_traced(self.places)


Picks = tuple[Pick | None, ...]
"""One for each of the leading axes; None takes everything."""


# --------------------------------------------------------------------------- evaluation


def evaluate_index(index: ast.Index, frame: Frame) -> tuple[str, Any]:
    """An index before the size of its axis is known."""
    match index:
        case ast.SingleIndex():
            value = evaluate(index.value, frame)
            return ("single" if value.type == t.INT else "multi", value.data)
        case ast.RangeIndex():
            ends = [None if end is None else evaluate(end, frame).data
                    for end in (index.lower, index.upper)]  # fmt: skip
            return ("range", tuple(ends))
        case _:
            return ("all", None)


def picks_for(indices: Sequence[tuple[str, Any]], shape: tuple[int, ...], frame: Frame) -> Picks:
    """The positions that indices pick from axes of these sizes."""
    return tuple(
        _pick(kind, given, size, frame) for (kind, given), size in zip(indices, shape, strict=False)
    )


def _pick(kind: str, given: Any, size: int, frame: Frame) -> Pick | None:
    if kind == "all":
        return None
    if kind == "range":
        return _range(given, size, frame)
    require_index(f"array[{'uni' if kind == 'single' else 'multi'}, ...] indexing", given, size)
    return Pick((given[:, None] if kind == "single" else given) - 1, kind == "single")


def _range(ends: tuple[Any, Any], size: int, frame: Frame) -> Pick | None:
    if ends[0] is None and ends[1] is None:
        return None
    lower = np.ones((1, 1), np.int64) if ends[0] is None else known_ints(ends[0], frame)
    upper = np.full((1, 1), size) if ends[1] is None else known_ints(ends[1], frame)
    counts = np.maximum(0, upper - lower + 1)
    if not same_everywhere(counts):
        raise RaggedError(frame.node, counts[:, 0])
    count = int(counts.flat[0])
    if count:
        for end in (lower, upper):
            require_index("array[min_max, ...] indexing", end, size)
    return Pick((lower - 1)[:, None] + np.arange(count)[:, None], single=False)


def known_ints(array: Array, frame: Frame) -> np.ndarray:
    """Integers that decide about shapes, which must be known now."""
    if is_traced(array):
        raise frame.unknown("a size or the end of a range")
    return array


# --------------------------------------------------------------------------- positions


def selection(picks: Picks, event: tuple[int, ...], depth: int) -> Selection:
    """What known picks select among the first `depth` axes of an event."""
    elements = np.zeros((1, 1), np.int64)
    shape: list[int] = []
    for axis in range(depth):
        pick = picks[axis] if axis < len(picks) else None
        places = np.arange(event[axis])[None] if pick is None else pick.places[..., 0]
        if pick is None or not pick.single:
            shape.append(places.shape[1])
        grid = elements[:, :, None] * event[axis] + places[:, None, :]
        elements = grid.reshape(len(grid), -1)
    return Selection(elements, tuple(shape))


def are_known(picks: Picks) -> bool:
    return all(pick is None or pick.is_known for pick in picks)


def kept_axes(picks: Picks) -> int:
    """How many of the indexed axes are left."""
    return sum(pick is None or not pick.single for pick in picks)


# --------------------------------------------------------------------------- picking


def pick_all(array: Array, picks: Picks, node: Node, first: int = 1) -> Array:
    """Pick from the axes of a value that begin at axis `first`."""
    if all(pick is None for pick in picks):
        return array
    if not are_known(picks):
        return _pick_traced(array, picks, node, first)
    by_lane = [pick for pick in picks if pick is not None and not same_everywhere(pick.places)]
    if by_lane and first == 1:
        return _pick_by_lane(array, picks, node)
    if by_lane:
        return _pick_traced(array, picks, node, first)
    for axis in reversed(range(len(picks))):
        pick = picks[axis]
        if pick is not None:
            array = pick_same(array, first + axis, pick.places[0, :, 0], pick.single)
    return array


def pick_same(array: Array, axis: int, places: np.ndarray, single: bool) -> Array:
    """Pick the same places in all lanes."""
    before = (slice(None),) * axis
    if single:
        return array[(*before, int(places[0]))]
    if len(places) == 0:
        return array[(*before, slice(0, 0))]
    steps = np.diff(places)
    if len(places) == array.shape[axis] and places[0] == 0 and (steps == 1).all():
        return array
    if (steps == 1).all():
        return array[(*before, slice(int(places[0]), int(places[-1]) + 1))]
    if not is_traced(array):
        return array[(*before, places)]
    return array.at[(*before, places)].get(mode="promise_in_bounds")


def _pick_by_lane(array: Array, picks: Picks, node: Node) -> Array:
    """Different elements in different lanes: rows of the value with its indexed axes merged."""
    depth = len(picks)
    event = array.shape[1:-1]
    chosen = selection(picks, event, depth)
    size = int(np.prod(event[:depth], dtype=np.int64))
    rows = np.broadcast_to(chosen.elements, (node.count, chosen.elements.shape[1]))
    if array.shape[0] > 1:
        lane = node.column_of_lane() if is_traced(array) else node.all_lanes()
        rows = lane[:, None] * size + rows
    values = array.reshape(array.shape[0] * size, *array.shape[1 + depth :])
    slots = rows.shape[1]
    if slots == 0:
        picked = take(values, rows[:1].ravel())[None]
    else:
        part = Part(values, rows.ravel(), np.arange(rows.size))
        picked = assemble(node, [part], slots)
    return picked.reshape(picked.shape[0], *chosen.shape, *picked.shape[2:])


def _pick_traced(array: Array, picks: Picks, node: Node, first: int) -> Array:
    """Positions that are not known now: along one axis after the other, by lane and draw."""
    for axis in reversed(range(len(picks))):
        pick = picks[axis]
        if pick is not None:
            array, places = node.joint([array, pick.places])
            if not is_traced(array, places) and same_everywhere(places):
                array = pick_same(array, first + axis, places[0, :, 0], pick.single)
            else:
                array = _pick_along(array, first + axis, places, pick.single)
    return array


def _pick_along(array: Array, axis: int, places: Array, single: bool) -> Array:
    xp = namespace(array, places)
    lanes = max(array.shape[0], places.shape[0])
    draws = max(array.shape[-1], places.shape[-1])
    count = places.shape[1]
    ones = [1] * array.ndim
    ones[0], ones[axis], ones[-1] = places.shape[0], count, places.shape[-1]
    shape = list(array.shape)
    shape[0], shape[axis], shape[-1] = lanes, count, draws
    index = xp.broadcast_to(places.reshape(ones), shape)
    array = xp.broadcast_to(array, (lanes, *array.shape[1:-1], draws))
    picked = xp.take_along_axis(array, xp.clip(index, 0, array.shape[axis] - 1), axis)
    return picked.squeeze(axis) if single else picked


def put_traced(array: Array, picks: Picks, value: Array, node: Node) -> Array:
    """`array` with the elements at positions that are not known now replaced by `value`."""
    given = [pick.places for pick in picks if pick is not None]
    array, value, *lifted = node.joint([array, value, *given])
    places = iter(lifted)
    axes = [None if pick is None else next(places) for pick in picks]
    for axis, pick in enumerate(picks):
        if pick is not None and pick.single:
            value = namespace(value).expand_dims(value, 1 + axis)
    counts = [range(1) if each is None else range(each.shape[1]) for each in axes]
    for numbers in itertools.product(*counts):
        array = _put_one(array, axes, numbers, value)
    return array


def _put_one(
    array: Array, places: list[Array | None], numbers: tuple[int, ...], value: Array
) -> Array:
    """Replace at one position of each axis that is picked from."""
    mask: Array = np.ones((1,) * array.ndim, bool)
    for axis, (at, number) in enumerate(zip(places, numbers, strict=True), start=1):
        if at is None:
            continue
        shape, ones = [1] * array.ndim, [1] * array.ndim
        shape[0], shape[-1], ones[axis] = at.shape[0], at.shape[-1], array.shape[axis]
        mask = mask & (at[:, number].reshape(shape) == np.arange(array.shape[axis]).reshape(ones))
        value = value[(*(slice(None),) * axis, slice(number, number + 1))]
    return namespace(array, mask, value).where(mask, value, array)
