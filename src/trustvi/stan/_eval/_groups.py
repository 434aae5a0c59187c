"""Stretches of a loop's body that must be run iteration after iteration."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from trustvi.stan import _ast as ast
from trustvi.stan._eval._dispatch import executes
from trustvi.stan._eval._facts import walk
from trustvi.stan._eval._frame import Frame, Live
from trustvi.stan._eval._lanes import Kind, subset
from trustvi.stan._eval._live import gathered
from trustvi.stan._eval._scan import scan
from trustvi.stan._eval._signals import NotScannableError, SequentialError
from trustvi.stan._eval._statements import run
from trustvi.stan._eval._undo import undoable

if TYPE_CHECKING:
    from trustvi.stan._eval._loops import Plan

SHORT = 8
"""So many iterations are run one by one rather than as a scan: XLA does better with them then."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Group(ast.Stmt):
    """Statements to be run one iteration after another; `steps` numbers those of each lane."""

    statements: tuple[ast.Stmt, ...]
    steps: np.ndarray
    plan: Plan
    stretch: tuple[int, int]


def hoisted(group: Group, frame: Frame) -> list[ast.Declaration]:
    """The group's declarations without values, for all iterations at once.

    Sizes must not depend on what the group itself assigns.
    """
    assigned = frame.machine.facts.assigned(group.statements)
    declarations = [each for each in group.statements if isinstance(each, ast.Declaration)]
    for each in declarations:
        used = {n.name for n in walk(each.declared) if isinstance(n, ast.Variable)}
        if used & assigned:
            raise SequentialError
    return [dataclasses.replace(each, value=None) for each in declarations]


def _body(statements: Sequence[ast.Stmt]) -> list[ast.Stmt]:
    """The statements with declarations made assignments."""
    return [
        each
        for statement in statements
        for each in (
            _assignment(statement) if isinstance(statement, ast.Declaration) else [statement]
        )
    ]


def _assignment(declaration: ast.Declaration) -> list[ast.Stmt]:
    if declaration.value is None:
        return []
    target = ast.Variable(span=declaration.name_span, name=declaration.name, type=declaration.type)
    return [ast.Assign(span=declaration.span, target=target, value=declaration.value)]


@executes(Group)
def run_group(group: Group, frame: Frame) -> Live:
    """As a scan where that goes, else step by step."""
    whole = frame.node.kind is Kind.LOOP
    if whole and group.stretch not in group.plan.stepped and group.steps.max() >= SHORT:
        undo = undoable(frame)
        try:
            carried = set(frame.identities(group.plan.carried))
            live = scan(_body(group.statements), group.steps, frame, carried)
            group.plan.carried |= frame.names_of(carried)
            return live
        except NotScannableError:
            undo()
            group.plan.stepped.add(group.stretch)
    return _step_by_step(group, frame)


def _step_by_step(group: Group, frame: Frame) -> Live:
    node = frame.node
    top = node
    while top.kind is not Kind.LOOP:
        assert top.parent is not None
        top = top.parent
    steps = group.steps[node.lanes_in(top, node.all_lanes())]
    body = _body(group.statements)
    pieces = []
    for step in range(int(steps.max()) + 1):
        lanes = np.flatnonzero(steps == step)
        if len(lanes):
            there = frame.at(subset(node, lanes))
            pieces.append((there.node, run(body, there)))
    return gathered(node, pieces)
