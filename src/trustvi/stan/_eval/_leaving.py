"""Loops that some draws leave early, with their iterations as lanes.

Whether a draw reaches an iteration depends on the iterations before it, but only by yes or no. So
the body is run twice: once for all iterations, to learn in which of them each draw would leave,
and again where none before has been left. Of the first run nothing but these masks is used. Each
iteration keeps the value that it returns, if it does; at most one does so in each draw.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import jax.numpy as jnp
import numpy as np

from trustvi.stan import _ast as ast
from trustvi.stan._eval._calls import return_value
from trustvi.stan._eval._commit import chosen, commit_branches, commit_loop
from trustvi.stan._eval._frame import ALL, Frame, Left, Live, Result, data_of
from trustvi.stan._eval._lanes import Node, branch
from trustvi.stan._eval._live import either, leave
from trustvi.stan._eval._rows import sum_groups, take
from trustvi.stan._eval._signals import SequentialError
from trustvi.stan._eval._statements import under
from trustvi.stan._eval._undo import undoable
from trustvi.stan._values import Array, Value, map_data

Body = tuple[ast.Stmt, ...]


def run_leaving(body: Body, frame: Frame, run_body: Callable[[Frame], object]) -> Live:
    """Run a loop's body in its lanes, `frame.node`; returns who goes on around the loop."""
    node = frame.node
    if node.scan is not None:
        raise SequentialError
    undo = undoable(frame)
    trial = _ready(frame)
    run_body(trial)
    undo()
    before = _left_before(node, _mask(node, trial.loop))
    names = frame.identities(frame.machine.facts.assigned(body))
    then, otherwise = branch(node, ~before, names), branch(node, before, names)
    again = _ready(frame)
    run_body(again.at(then))
    commit_branches(then, otherwise)
    commit_loop(node)
    return _return_behind(body, frame, again)


def _ready(frame: Frame) -> Frame:
    """A frame in which lanes may leave by draws, each with a result of its own."""
    assert frame.loop is not None
    left = dataclasses.replace(frame.loop, by_draws=True, draws=None, returned_draws=None)
    result = frame.result
    if result is not None:
        result = Result(result.type, frame.node, by_lane=True)
    return dataclasses.replace(frame, loop=left, result=result)


def _mask(node: Node, left: Left | None) -> Array:
    """In which lanes and draws the loop is left, all lanes written out."""
    assert left is not None
    if left.draws is None:
        return np.zeros((node.count, 1), bool)
    return jnp.broadcast_to(left.draws, (node.count, left.draws.shape[1]))


def _left_before(node: Node, mask: Array) -> Array:
    """Whether an earlier iteration of the same loop was left: counts before each lane, less
    those before the first lane of its loop."""
    assert node.up is not None
    so_far = jnp.cumsum(mask.astype(np.int32), axis=0)
    before = jnp.concatenate([jnp.zeros_like(so_far[:1]), so_far[:-1]])
    first = np.searchsorted(node.up, node.up)
    return before > take(before, first)


def _return_behind(body: Body, frame: Frame, inside: Frame) -> Live:
    """Behind the loop, return what an iteration returned, in the draws where one did."""
    node, left = frame.node, inside.loop
    assert left is not None
    assert node.parent is not None
    assert node.up is not None
    if left.returned_draws is None:
        return ALL
    mask = jnp.broadcast_to(left.returned_draws, (node.count, left.returned_draws.shape[1]))
    anywhere = sum_groups(mask.astype(np.int32), node.up, node.parent.count) > 0
    value = None if inside.result is None else _returned(inside.result, node, mask)

    def give_back(there: Frame) -> Live:
        if value is not None:
            return_value(value, there)
        return leave(there, ast.Return)

    outside = dataclasses.replace(frame, loop=left.outer).at(node.parent)
    behind = under(outside, anywhere, give_back, body)
    return either(node.parent, anywhere, behind, ALL)


def _returned(result: Result, node: Node, mask: Array) -> Value | None:
    """The value of the one iteration that returned, by lane of the loop's surroundings."""
    if result.stores is None:
        return None
    assert node.parent is not None
    assert node.up is not None
    count, up = node.parent.count, node.up

    def one(array: Array) -> Array:
        kept = chosen(mask, array, np.zeros((1,) * array.ndim, array.dtype))
        return sum_groups(kept, up, count)

    return Value(result.type, map_data(one, data_of(result.stores, node)))
