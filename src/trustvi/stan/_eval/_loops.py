"""`for` loops: as lanes, with sequential parts where they must be, or one iteration at a time.

A loop is tried as lanes. If a dependence between iterations shows, the least part of the body
that it runs through is made sequential and the rest tried again; what was found out is kept in
the loop's plan for the next time. Each way of running a loop is exact, so that it is only a
question of speed which one is taken.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from trustvi.stan import _ast as ast
from trustvi.stan._diagnostics import StanRuntimeError
from trustvi.stan._eval._commit import commit_loop
from trustvi.stan._eval._dispatch import executes
from trustvi.stan._eval._facts import TARGET
from trustvi.stan._eval._frame import ALL, Frame, Left, Live, Scope
from trustvi.stan._eval._groups import SHORT, Group, hoisted
from trustvi.stan._eval._iterations import Iterations, iterations_of
from trustvi.stan._eval._lanes import loop, subset
from trustvi.stan._eval._leaving import run_leaving
from trustvi.stan._eval._live import behind_loop
from trustvi.stan._eval._presets import install, start_values
from trustvi.stan._eval._signals import (
    CarriedError,
    LeavingError,
    SequentialError,
    ShortenError,
)
from trustvi.stan._eval._statements import Placed, run, under
from trustvi.stan._eval._undo import undoable


@dataclass
class Plan:
    """How a loop is run: `groups` are stretches of its body, from and to position, that are
    sequential; `presets` variables whose value at each iteration is found out beforehand."""

    sequential: bool = False
    presets: frozenset[str] = frozenset()
    leaving: bool = False
    """Whether some draws leave the loop early."""
    groups: tuple[tuple[int, int], ...] = ()
    stepped: set[tuple[int, int]] = field(default_factory=set)
    """Groups that can't be scans."""
    carried: frozenset[str] = frozenset()
    """Variables that scans carry."""

    def with_group(self, first: int, last: int) -> None:
        """Make a stretch sequential, together with those that it overlaps."""
        apart = []
        for low, high in self.groups:
            if high < first or last < low:
                apart.append((low, high))
            else:
                first, last = min(first, low), max(last, high)
        self.groups = tuple(sorted([*apart, (first, last)]))


@executes(ast.For, ast.ForEach)
def _for(statement: ast.For | ast.ForEach, frame: Frame) -> Live:
    iterations = iterations_of(statement, frame)
    if iterations.trips.max(initial=0) == 0:
        return ALL
    body = statement.body.body if isinstance(statement.body, ast.Block) else (statement.body,)
    plan = frame.machine.plans.setdefault(id(statement), Plan())
    single = iterations.trips.max() == 1
    if plan.sequential or single or not frame.machine.lanes:
        return one_by_one(body, iterations, frame)
    return run_iterations(body, iterations, plan, frame)


def one_by_one(body: Sequence[ast.Stmt], iterations: Iterations, frame: Frame) -> Live:
    """Iteration after iteration, each in all lanes around the loop that have it."""
    node, trips = frame.node, iterations.trips
    left = Left(node, False, frame.loop, np.zeros(node.count, bool))
    for step in range(int(trips.max())):
        lanes = np.flatnonzero((trips > step) & ~left.lanes)
        if not len(lanes):
            break
        there = dataclasses.replace(
            frame, node=subset(node, lanes), scope=Scope(frame.scope), loop=left
        )
        iterations.bind(there, np.full(len(lanes), step))
        if left.draws is None:
            run(body, there)
        else:
            going_on = there.node.from_ancestor(~left.draws, node)
            under(there, going_on, lambda f: run(body, f), body)
    return behind_loop(left)


# --------------------------------------------------------------------------- lanes


def run_iterations(
    body: tuple[ast.Stmt, ...], iterations: Iterations, plan: Plan, frame: Frame
) -> Live:
    """As lanes, with what must be sequential; `plan` keeps what is found out."""
    trips = iterations.trips
    while not plan.sequential:
        undo = undoable(frame)
        names = frame.identities(frame.machine.facts.assigned(body))
        sums = frame.identities(frame.machine.facts.sums(body))
        node = loop(frame.node, trips, names, sums)
        try:
            return _attempt(body, iterations, trips, plan, frame.at(node))
        except CarriedError as signal:
            undo()
            if signal.node is not node:
                raise
            trips = iterations.trips
            _refine(signal, plan, body, iterations, frame)
        except ShortenError as signal:
            undo()
            if signal.node is not node:
                raise
            trips = signal.trips
        except LeavingError as signal:
            undo()
            if signal.node is not node:
                raise
            plan.leaving = True
        except SequentialError:
            undo()
            plan.sequential = True
        except StanRuntimeError:
            undo()
            if not _may_be_premature(body, frame):
                raise
            live = one_by_one(body, iterations, frame)
            plan.sequential = True
            return live
    return one_by_one(body, iterations, frame)


def _may_be_premature(body: tuple[ast.Stmt, ...], frame: Frame) -> bool:
    """Whether an error of lanes run at once need not be one of iterations run in order.

    What a lane read may be what one before it had still to write, or the lane one that is not
    reached.
    """
    facts = frame.machine.facts
    return bool(facts.leaves(body) - {ast.Continue} or facts.assigned(body) - {TARGET})


def _attempt(
    body: tuple[ast.Stmt, ...],
    iterations: Iterations,
    trips: np.ndarray,
    plan: Plan,
    frame: Frame,
) -> Live:
    node = frame.node
    assert node.parent is not None
    left = Left(node, True, frame.loop, np.zeros(node.count, bool))
    inside = dataclasses.replace(frame, scope=Scope(frame.scope), loop=left)
    steps = np.arange(node.count) - np.repeat(np.cumsum(trips) - trips, trips)
    iterations.bind(inside, steps)
    if plan.presets:
        outside = frame.at(node.parent)
        found = start_values(plan.presets, body, iterations, trips, outside)
        if found is None:
            raise SequentialError
        install(found, inside)

    def run_body(there: Frame) -> Live:
        return run(_placed(body, plan, there, steps), there)

    if plan.leaving:
        if plan.groups:
            raise SequentialError
        return run_leaving(body, inside, run_body)
    run_body(inside)
    commit_loop(node)
    return _behind(left)


def _behind(left: Left) -> Live:
    """The lanes around the loop from which no iteration returned."""
    node = left.node
    if left.returned_lanes is None:
        return ALL
    assert node.parent is not None
    assert node.up is not None
    going_on = np.ones(node.parent.count, bool)
    going_on[node.up[left.returned_lanes]] = False
    return Live(going_on, None)


def _placed(
    body: tuple[ast.Stmt, ...], plan: Plan, frame: Frame, steps: np.ndarray
) -> list[ast.Stmt]:
    """The body's statements with their positions, sequential stretches made one statement."""
    placed: list[ast.Stmt] = []
    position = 0
    for low, high in (*plan.groups, (len(body), len(body))):
        for each in range(position, low):
            placed.append(Placed(span=body[each].span, statement=body[each], position=each))
        if low < len(body):
            stretch = body[low : high + 1]
            group = Group(
                span=stretch[0].span,
                statements=stretch,
                steps=steps,
                plan=plan,
                stretch=(low, high),
            )
            for each in hoisted(group, frame):
                placed.append(Placed(span=each.span, statement=each, position=low))
            placed.append(Placed(span=group.span, statement=group, position=low))
        position = high + 1
    return placed


def _refine(
    signal: CarriedError,
    plan: Plan,
    body: tuple[ast.Stmt, ...],
    iterations: Iterations,
    frame: Frame,
) -> None:
    """Take a dependence into account."""
    name = signal.store.identity[1] if isinstance(signal.store.identity, tuple) else None
    if signal.known and name is not None and name not in plan.presets:
        trial = plan.presets | {name}
        if start_values(trial, body, iterations, iterations.trips, frame) is not None:
            plan.presets = trial
            return
    if not frame.machine.traced:
        plan.sequential = True
        return
    before = plan.groups
    plan.with_group(signal.first, max(signal.first, signal.node.position))
    if plan.groups == before:  # it runs through statements before: sums that what is read lacks
        plan.with_group(max(0, signal.first - 1), signal.first)
    if plan.groups == before:
        plan.sequential = True
    whole = plan.groups == ((0, len(body) - 1),)
    if plan.groups == before or (whole and iterations.trips.max() <= SHORT):
        plan.sequential = True
