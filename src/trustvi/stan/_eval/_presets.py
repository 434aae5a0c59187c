"""Variables that are known, but depend on earlier iterations: their values found beforehand.

A position that moves on by the size of each group, a counter: what they depend on is run first,
alone, to learn the value that each iteration begins with. Then the iterations are independent.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence

import numpy as np

from trustvi.stan import _ast as ast
from trustvi.stan._eval._facts import walk
from trustvi.stan._eval._frame import Frame, Left, Scope, Variable, data_of
from trustvi.stan._eval._iterations import Iterations
from trustvi.stan._eval._lanes import loop, subset
from trustvi.stan._eval._log import ADD, SET, Entry
from trustvi.stan._eval._memory import log_of
from trustvi.stan._eval._signals import Signal
from trustvi.stan._eval._slices import slice_of
from trustvi.stan._eval._statements import run
from trustvi.stan._eval._store import Store
from trustvi.stan._values import is_known, map_data
from trustvi.stan.library._namespace import is_traced

LARGEST = 4_000_000
"""More numbers than that are not kept for one variable."""

Starts = Mapping[Store, np.ndarray]
"""For each store its value at the start of each iteration: axes (iterations, *event, 1)."""


def start_values(
    names: frozenset[str],
    body: Sequence[ast.Stmt],
    iterations: Iterations,
    trips: np.ndarray,
    frame: Frame,
) -> Starts | None:
    """What the variables hold at the start of each iteration; None if that can't be known."""
    part, wanted = slice_of(body, names, frame.machine.facts)
    if is_random(part) or ast.Return in frame.machine.facts.leaves(part):
        return None
    scope = Scope(frame.scope)
    clones: dict[Store, Store] = {}
    for name in wanted:
        variable = frame.scope.find(name)
        if variable is not None:
            scope.names[name] = cloned(variable, frame, clones)
    count = int(trips.sum())
    if any(is_traced(c.whole()) or c.whole().size * count > LARGEST for c in clones.values()):
        return None
    apart = dataclasses.replace(frame, scope=scope, loop=None)
    found = _by_sums(part, iterations, trips, apart, clones)
    return found or _one_by_one(part, iterations, trips, apart, clones)


def is_random(part: Sequence[ast.Stmt]) -> bool:
    return any(isinstance(n, ast.Call) and n.name.endswith("_rng") for n in walk(tuple(part)))


def cloned(variable: Variable, frame: Frame, clones: dict[Store, Store]) -> Variable:
    """The variable as it is now, to be assigned to without consequences."""

    def clone(store: Store) -> Store:
        value = data_of(store, frame.node)
        copy = Store(store.identity, frame.node, store.event, store.dtype, store.depth, value)
        clones[store] = copy
        return copy

    return Variable(variable.name, variable.type, map_data(clone, variable.stores))


def _by_sums(
    part: Sequence[ast.Stmt],
    iterations: Iterations,
    trips: np.ndarray,
    frame: Frame,
    clones: dict[Store, Store],
) -> Starts | None:
    """Where each iteration only adds to scalars: sums over the iterations before."""
    facts = frame.machine.facts
    if facts.leaves(tuple(part)):
        return None
    names = frame.identities(facts.assigned(tuple(part)))
    sums = frame.identities(facts.sums(tuple(part)))
    node = loop(frame.node, trips, names, sums)
    inside = dataclasses.replace(frame.at(node), scope=Scope(frame.scope))
    steps = np.arange(node.count) - np.repeat(np.cumsum(trips) - trips, trips)
    iterations.bind(inside, steps)
    try:
        run(part, inside)
    except Signal:
        return None
    found = {}
    for store, clone in clones.items():
        log = node.logs.get(clone)
        if log is None or store.event or log.kinds() != {ADD} or not log.is_known:
            return None
        added = np.zeros((node.count, 1), store.dtype)
        for entry in log.entries:
            np.add.at(added, entry.lanes, entry.values[entry.rows])
        before = np.cumsum(added, axis=0) - added
        first = (np.cumsum(trips) - trips)[node.up]
        base = np.broadcast_to(clone.whole(), (frame.node.count, 1))[node.up]
        found[store] = base + before - before[first]
    return found


def _one_by_one(
    part: Sequence[ast.Stmt],
    iterations: Iterations,
    trips: np.ndarray,
    frame: Frame,
    clones: dict[Store, Store],
) -> Starts | None:
    node, count = frame.node, int(trips.sum())
    first = np.cumsum(trips) - trips
    found = {store: np.zeros((count, *store.event, 1), store.dtype) for store in clones}
    left = Left(node, False, None, np.zeros(node.count, bool))
    for step in range(int(trips.max())):
        lanes = np.flatnonzero(trips > step)
        for store, clone in clones.items():
            value = clone.whole()
            if not is_known(value):
                return None
            found[store][first[lanes] + step] = value if len(value) == 1 else value[lanes]
        lanes = lanes[~left.lanes[lanes]]
        if not len(lanes):
            continue
        there = dataclasses.replace(
            frame, node=subset(node, lanes), scope=Scope(frame.scope), loop=left
        )
        iterations.bind(there, np.full(len(lanes), step))
        run(part, there)
    return found


def install(starts: Starts, frame: Frame) -> None:
    """Let each iteration begin as if it had assigned these values itself."""
    node = frame.node
    for store, values in starts.items():
        lanes = np.repeat(node.all_lanes(), store.size)
        elements = np.tile(np.arange(store.size), node.count)
        log = log_of(node, store)
        rows = values.reshape(len(lanes), *store.block, 1)
        keys = log.keys(lanes, elements)
        log.record(Entry(SET, lanes, keys, np.arange(len(lanes)), rows, (node, store.size)))
