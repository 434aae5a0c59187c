"""Who goes on: lanes and draws that have not left a block, a loop or a function."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from trustvi.stan import _ast as ast
from trustvi.stan import _types as t
from trustvi.stan._eval._frame import ALL, Frame, Left, Live
from trustvi.stan._eval._lanes import Node, subset
from trustvi.stan._eval._merging import as_int, chosen, joined
from trustvi.stan._eval._signals import LeavingError, SequentialError, ShortenError
from trustvi.stan._values import Array, Value

Pieces = Sequence[tuple[Node, Live]]


def mask_for(node: Node, pieces: Sequence[tuple[Node, Array]], default: bool) -> Array:
    """Draws' masks of some of the lanes each as one for all lanes of `node`."""
    rest = np.ones(node.count, bool)
    for each, _ in pieces:
        rest[each.lanes_in(node, each.all_lanes())] = False
    values = [(each, Value(t.INT, as_int(mask))) for each, mask in pieces]
    if rest.any():
        other = np.full((1, 1), int(default))
        values.append((subset(node, np.flatnonzero(rest)), Value(t.INT, other)))
    return joined(node, values).data != 0


def gathered(node: Node, pieces: Pieces) -> Live:
    """Who goes on of all lanes of `node`, of which each piece tells some; others don't."""
    lanes = np.zeros(node.count, bool)
    for each, live in pieces:
        at = each.lanes_in(node, each.all_lanes())
        lanes[at] = True if live.lanes is None else live.lanes
    draws = [(each, live.draws) for each, live in pieces if live.draws is not None]
    mask = mask_for(node, draws, True) if draws else None
    return Live(None if lanes.all() else lanes, mask)


def either(node: Node, condition: Array, first: Live, second: Live) -> Live:
    """Who goes on where a traced condition decides between two."""
    if first.everyone and second.everyone:
        return ALL
    if _nobody(first) and _nobody(second):
        return Live(np.zeros(node.count, bool), None)
    return Live(None, chosen(condition, _as_mask(node, first), _as_mask(node, second)))


def _nobody(live: Live) -> bool:
    return live.lanes is not None and not live.lanes.any()


def _as_mask(node: Node, live: Live) -> Array:
    lanes = np.ones((1, 1), bool) if live.lanes is None else node.lift(live.lanes[:, None])
    return lanes if live.draws is None else lanes & live.draws


def both(first: Array, second: Array) -> Array:
    """The conjunction of two masks, of which either may be None for all."""
    if first is None or second is None:
        return first if second is None else second
    return first & second


def any_of(first: Array, second: Array) -> Array:
    """The disjunction of two masks, of which either may be None for none."""
    if first is None or second is None:
        return first if second is None else second
    return first | second


# --------------------------------------------------------------------------- leaving


def leave(frame: Frame, kind: type[ast.Stmt]) -> Live:
    """Note that the lanes and draws here leave the loop (or, by return, all of them)."""
    left = frame.loop
    if kind is ast.Break:
        assert left is not None
        _note(left, frame.node, returned=False)
    while kind is ast.Return and left is not None:
        _note(left, frame.node, returned=True)
        left = None if left.by_draws else left.outer
    return Live(np.zeros(frame.node.count, bool), None)


def _note(left: Left, node: Node, returned: bool) -> None:
    condition = condition_within(node, left.node)
    lanes = node.lanes_in(left.node, node.all_lanes())
    if condition is None and left.by_draws:
        raise SequentialError
    if condition is None:
        left.lanes[lanes] = True
        if left.parallel:
            _shorten(left, lanes)
        if returned:
            if left.returned_lanes is None:
                left.returned_lanes = np.zeros(left.node.count, bool)
            left.returned_lanes[lanes] = True
        return
    if left.parallel and not left.by_draws:
        raise LeavingError(left.node)
    mask = mask_for(left.node, [(node, condition)], False)
    left.draws = any_of(left.draws, mask)
    if returned:
        left.returned_draws = any_of(left.returned_draws, mask)


def _shorten(left: Left, lanes: np.ndarray) -> None:
    """Iterations behind the one that leaves must not be run."""
    node = left.node
    assert node.parent is not None
    assert node.up is not None
    trips = np.bincount(node.up, minlength=node.parent.count)
    around = node.up[lanes]
    taken = lanes - (np.cumsum(trips) - trips)[around] + 1
    shorter = trips.copy()
    np.minimum.at(shorter, around, taken)
    if (shorter < trips).any():
        raise ShortenError(node, shorter)


def condition_within(node: Node, top: Node) -> Array:
    """The conjunction of the traced conditions between `node` and `top`; None without any."""
    found = None
    for each in node.chain(top):
        if each.condition is not None:
            found = both(found, node.from_ancestor(each.condition, each))
    return found


def behind_loop(left: Left) -> Live:
    """Who goes on behind a loop: all that haven't returned."""
    lanes = None if left.returned_lanes is None else ~left.returned_lanes
    draws = None if left.returned_draws is None else ~left.returned_draws
    return Live(lanes, draws)
