"""Values that were computed for some of the lanes each, or under a traced condition."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from trustvi.stan._eval._assemble import Part, assemble
from trustvi.stan._eval._commit import chosen, commit_branches
from trustvi.stan._eval._facts import TARGET
from trustvi.stan._eval._frame import Frame
from trustvi.stan._eval._lanes import Node, branch, subset
from trustvi.stan._eval._signals import RaggedError
from trustvi.stan._values import Array, Data, Value, event_shape, map_data
from trustvi.stan.library._namespace import is_traced, namespace

_TARGET = frozenset({TARGET})


def split(node: Node, mask: np.ndarray) -> tuple[Node | None, Node | None]:
    """The lanes where a known mask holds, and the others; None where there are none."""
    holds, fails = np.flatnonzero(mask), np.flatnonzero(~mask)
    return (
        subset(node, holds) if len(holds) else None,
        subset(node, fails) if len(fails) else None,
    )


def joined(node: Node, pieces: Sequence[tuple[Node, Value]]) -> Value:
    """One value for all lanes of `node`, from values for some of the lanes each."""
    if len(pieces) == 1:
        return pieces[0][1]
    kind = pieces[0][1].type
    nodes = [each for each, _ in pieces]
    data = map_data(lambda *arrays: _joined(node, nodes, arrays), *(v.data for _, v in pieces))
    return Value(kind, data)


def _joined(node: Node, nodes: Sequence[Node], arrays: Sequence[Array]) -> Array:
    shape = event_shape(arrays[0])
    if any(event_shape(array) != shape for array in arrays):
        key = np.zeros(node.count, np.int64)
        for number, each in enumerate(nodes):
            key[each.lanes_in(node, each.all_lanes())] = number
        raise RaggedError(node, key)
    parts = []
    for each, array in zip(nodes, arrays, strict=True):
        lanes = each.all_lanes()
        rows = each.column_of_lane() if is_traced(array) else lanes
        rows = np.zeros(each.count, np.int64) if array.shape[0] == 1 else rows
        parts.append(Part(array, rows, each.lanes_in(node, lanes)))
    return assemble(node, parts, 1)[:, 0]


def choose(
    frame: Frame,
    condition: Array,
    if_true: Callable[[Frame], Value],
    if_false: Callable[[Frame], Value],
) -> Value:
    """What one function gives where a condition holds, and the other elsewhere.

    The condition has shape (lanes|1, draws|1). Where it is known each function is run for the
    lanes that need it, else both for all, with derivatives cut off where they don't count.
    """
    if is_traced(condition):
        return _choose_traced(frame, condition, if_true, if_false)
    mask = np.broadcast_to(condition[:, 0], (frame.node.count,))
    pieces = [
        (node, function(frame.at(node)))
        for node, function in zip(split(frame.node, mask), (if_true, if_false), strict=True)
        if node is not None
    ]
    return joined(frame.node, pieces)


def _choose_traced(
    frame: Frame,
    condition: Array,
    if_true: Callable[[Frame], Value],
    if_false: Callable[[Frame], Value],
) -> Value:
    node = frame.node
    sides = (branch(node, condition, _TARGET), branch(node, ~condition, _TARGET))
    values = [f(frame.at(side)) for f, side in zip((if_true, if_false), sides, strict=True)]
    commit_branches(*sides)
    return Value(values[0].type, selected(node, condition, values[0].data, values[1].data))


def selected(node: Node, condition: Array, left: Data, right: Data) -> Data:
    """Elementwise `left` where the condition holds, else `right`."""

    def one(a: Array, b: Array) -> Array:
        if event_shape(a) != event_shape(b):
            raise ValueError("shapes differ under a traced condition")
        return chosen(*node.joint([condition, a, b]))

    return map_data(one, left, right)


def truth(data: Array) -> Array:
    """A scalar as a condition, of shape (lanes|1, draws|1)."""
    return data != 0


def as_int(condition: Array) -> Array:
    """A condition as Stan's 0 and 1."""
    return condition.astype(namespace(condition).int64)
