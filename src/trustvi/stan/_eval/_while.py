"""`while` loops: those whose iterations can be counted beforehand are run as `for` loops are."""

from __future__ import annotations

import dataclasses

import numpy as np

from trustvi.stan import _ast as ast
from trustvi.stan import _types as t
from trustvi.stan._eval._dispatch import evaluate, executes
from trustvi.stan._eval._facts import walk
from trustvi.stan._eval._frame import Frame, Left, Live, Scope
from trustvi.stan._eval._groups import SHORT
from trustvi.stan._eval._iterations import Iterations
from trustvi.stan._eval._lanes import Node, subset
from trustvi.stan._eval._live import behind_loop
from trustvi.stan._eval._loops import Plan, run_iterations
from trustvi.stan._eval._merging import truth
from trustvi.stan._eval._presets import cloned, is_random
from trustvi.stan._eval._signals import Signal
from trustvi.stan._eval._slices import slice_of
from trustvi.stan._eval._statements import run
from trustvi.stan._eval._store import Store
from trustvi.stan._values import Value, is_known
from trustvi.stan.library._namespace import is_traced


@executes(ast.While)
def _while(statement: ast.While, frame: Frame) -> Live:
    machine = frame.machine
    if machine.lanes and machine.traced:
        trips = _trips(statement, frame)
        if trips is not None and trips.max() > SHORT:
            body = statement.body.body if isinstance(statement.body, ast.Block) else None
            plan = machine.plans.setdefault(id(statement), Plan())
            return run_iterations(
                body or (statement.body,), Iterations("", frame.node, trips, _number), plan, frame
            )
    return _step_by_step(statement, frame)


def _number(node: Node, steps: np.ndarray) -> Value:
    """The number of an iteration, which no program can name."""
    return Value(t.INT, steps[:, None])


def _trips(statement: ast.While, frame: Frame) -> np.ndarray | None:
    """How many iterations each lane has, found by running what the condition depends on.

    None if that isn't known, or the loop can be left in another way.
    """
    facts, body = frame.machine.facts, (statement.body,)
    asked = {n.name for n in walk(statement.condition) if isinstance(n, ast.Variable)}
    names = frozenset(asked & facts.assigned(body))
    part, wanted = slice_of(body, names, facts)
    if not names or facts.leaves(body) or is_random((*part, statement)):
        return None
    scope = Scope(frame.scope)
    clones: dict[Store, Store] = {}
    for name in wanted:
        variable = frame.scope.find(name)
        if variable is not None:
            scope.names[name] = cloned(variable, frame, clones)
    apart = dataclasses.replace(frame, scope=scope, loop=None)
    trips = np.zeros(frame.node.count, np.int64)
    active = np.arange(frame.node.count)
    while all(is_known(clone.whole()) for clone in clones.values()):
        there = apart.at(subset(frame.node, active))
        try:
            condition = truth(evaluate(statement.condition, there).data)
            if is_traced(condition):
                return None
            active = active[np.broadcast_to(condition[:, 0], active.shape)]
            if not len(active):
                return trips
            trips[active] += 1
            run(part, apart.at(subset(frame.node, active)).inner())
        except Signal:
            return None
    return None


def _step_by_step(statement: ast.While, frame: Frame) -> Live:
    """As long as the condition is known, iteration after iteration for the lanes it holds in."""
    node = frame.node
    left = Left(node, False, frame.loop, np.zeros(node.count, bool))
    active = np.ones(node.count, bool)
    while True:
        there = frame.at(subset(node, np.flatnonzero(active)))
        there = dataclasses.replace(there, scope=Scope(frame.scope), loop=left)
        condition = truth(evaluate(statement.condition, there).data)
        if is_traced(condition) or left.draws is not None:
            raise frame.unknown("the condition of a while loop")
        active[active] = np.broadcast_to(condition[:, 0], (there.node.count,))
        active &= ~left.lanes
        lanes = np.flatnonzero(active)
        if not len(lanes):
            return behind_loop(left)
        run((statement.body,), dataclasses.replace(there, node=subset(node, lanes)))
        active &= ~left.lanes
        if not active.any():
            return behind_loop(left)
