"""The rules for statements other than loops."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from trustvi.stan import _ast as ast
from trustvi.stan._diagnostics import StanRuntimeError
from trustvi.stan._eval._assign import assign, declare
from trustvi.stan._eval._calls import call, return_value
from trustvi.stan._eval._commit import commit_branches
from trustvi.stan._eval._dispatch import evaluate, execute, executes
from trustvi.stan._eval._frame import ALL, Frame, Live
from trustvi.stan._eval._lanes import Kind, Node, branch, subset
from trustvi.stan._eval._live import both, either, gathered, leave
from trustvi.stan._eval._log import ADD
from trustvi.stan._eval._memory import accumulate
from trustvi.stan._eval._merging import split, truth
from trustvi.stan._eval._sampling import sample
from trustvi.stan._eval._shown import shown
from trustvi.stan._eval._signals import RaggedError
from trustvi.stan._eval._undo import undoable
from trustvi.stan._values import Array, is_known
from trustvi.stan.library._namespace import is_traced

# --------------------------------------------------------------------------- sequences


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed(ast.Stmt):
    """A statement at a position of a loop's body."""

    statement: ast.Stmt
    position: int


def _mark(node: Node, position: int) -> None:
    """Tell the innermost loop where in its body it is."""
    while node.kind is not Kind.LOOP:
        assert node.parent is not None
        node = node.parent
    node.position = position


@executes(ast.Block, ast.Profile)
def _block(statement: ast.Block | ast.Profile, frame: Frame) -> Live:
    return run(statement.body, frame.inner())


def run(statements: Sequence[ast.Stmt], frame: Frame) -> Live:
    """Run statements one after another, each for those whom the ones before have not stopped."""
    for number, statement in enumerate(statements):
        if isinstance(statement, Placed):
            _mark(frame.node, statement.position)
            statement = statement.statement
        if isinstance(statement, ast.Declaration):
            try:
                declare(statement, frame)
            except RaggedError as signal:
                return _apart(signal, frame, statements[number:])
            continue
        live = run_one(statement, frame)
        if live.everyone:
            continue
        return _resume(live, statements[number + 1 :], frame)
    return ALL


def run_one(statement: ast.Stmt, frame: Frame) -> Live:
    """Run a statement; where lanes turn out to need different shapes, group by group."""
    if frame.node.count == 1:
        return execute(statement, frame)
    undo = undoable(frame)
    try:
        return execute(statement, frame)
    except RaggedError as signal:
        undo()
        return _apart(signal, frame, (statement,))


def _apart(signal: RaggedError, frame: Frame, statements: Sequence[ast.Stmt]) -> Live:
    """Run statements for each group of lanes that have shapes in common."""
    if signal.activation is frame.activation:
        raise signal
    key = np.full(frame.node.count, -1)
    key[signal.node.lanes_in(frame.node, signal.node.all_lanes())] = signal.key
    pieces = []
    for each in np.unique(key):
        group = subset(frame.node, np.flatnonzero(key == each))
        pieces.append((group, run(statements, frame.at(group).inner())))
    return gathered(frame.node, pieces)


def _resume(live: Live, rest: Sequence[ast.Stmt], frame: Frame) -> Live:
    """Run the rest of a block for those who go on; returns who goes on behind it."""
    if live.lanes is not None:
        lanes = np.flatnonzero(live.lanes)
        if not len(lanes):
            return live
        group = subset(frame.node, lanes)
        draws = None if live.draws is None else group.from_ancestor(live.draws, frame.node)
        inside = Live(None, draws)
        return gathered(frame.node, [(group, _resume(inside, rest, frame.at(group)))])
    if live.draws is None or not rest:
        return run(rest, frame) if rest else live
    after = under(frame, live.draws, lambda there: run(rest, there), rest)
    return Live(after.lanes, both(live.draws, after.draws))


def under(frame: Frame, condition: Array, body: Callable[[Frame], Live], text: Any) -> Live:
    """Run something under a traced condition."""
    names = frame.identities(frame.machine.facts.assigned(tuple(text)))
    then = branch(frame.node, condition, names)
    otherwise = branch(frame.node, ~condition, names)
    live = _guarded(frame.at(then), body)
    commit_branches(then, otherwise)
    return live


def _guarded(frame: Frame, body: Callable[[Frame], Live]) -> Live:
    """Run a branch; an error there rejects the draws for which it is taken."""
    try:
        return body(frame)
    except StanRuntimeError:
        frame.node.logs.clear()
        reject(frame)
        return ALL


# --------------------------------------------------------------------------- branches


@executes(ast.If)
def _if(statement: ast.If, frame: Frame) -> Live:
    condition = truth(evaluate(statement.condition, frame).data)
    sides = (statement.then, statement.otherwise)
    if is_traced(condition):
        return _traced_if(condition, sides, frame)
    mask = np.broadcast_to(condition[:, 0], (frame.node.count,))
    pieces = []
    for node, side in zip(split(frame.node, mask), sides, strict=True):
        if node is not None:
            live = ALL if side is None else run((side,), frame.at(node).inner())
            pieces.append((node, live))
    if all(live.everyone for _, live in pieces):
        return ALL
    return gathered(frame.node, pieces)


def _traced_if(condition: Array, sides: tuple[ast.Stmt | None, ...], frame: Frame) -> Live:
    text = tuple(side for side in sides if side is not None)
    names = frame.identities(frame.machine.facts.assigned(text))
    nodes = (branch(frame.node, condition, names), branch(frame.node, ~condition, names))
    lives = [
        ALL if side is None else _guarded(frame.at(node), _runner(side))
        for node, side in zip(nodes, sides, strict=True)
    ]
    commit_branches(*nodes)
    return either(frame.node, condition, *lives)


def _runner(statement: ast.Stmt) -> Callable[[Frame], Live]:
    return lambda frame: run((statement,), frame.inner())


# --------------------------------------------------------------------------- simple statements


@executes(ast.Skip)
def _skip(statement: ast.Skip, frame: Frame) -> Live:
    return ALL


@executes(ast.Assign)
def _assign(statement: ast.Assign, frame: Frame) -> Live:
    assign(statement, frame)
    return ALL


@executes(ast.Declaration)
def _declaration(statement: ast.Declaration, frame: Frame) -> Live:
    declare(statement, frame)
    return ALL


@executes(ast.Sample)
def _sample(statement: ast.Sample, frame: Frame) -> Live:
    sample(statement, frame)
    return ALL


@executes(ast.TargetIncrement)
def _target_increment(statement: ast.TargetIncrement, frame: Frame) -> Live:
    if statement.jacobian and not frame.machine.jacobian:
        return ALL
    array = evaluate(statement.value, frame).array
    events = tuple(range(1, array.ndim - 1))
    array = array.sum(axis=events) if events else array
    accumulate(frame.machine.target, frame.node, array, ADD)
    return ALL


@executes(ast.CallStmt)
def _call_statement(statement: ast.CallStmt, frame: Frame) -> Live:
    call(statement.call, frame)
    return ALL


@executes(ast.Return)
def _return(statement: ast.Return, frame: Frame) -> Live:
    if statement.value is not None:
        return_value(evaluate(statement.value, frame), frame)
    return leave(frame, ast.Return)


@executes(ast.Break)
def _break(statement: ast.Break, frame: Frame) -> Live:
    return leave(frame, ast.Break)


@executes(ast.Continue)
def _continue(statement: ast.Continue, frame: Frame) -> Live:
    return Live(np.zeros(frame.node.count, bool), None)


# --------------------------------------------------------------------------- messages


@executes(ast.Reject)
def _reject(statement: ast.Reject, frame: Frame) -> Live:
    if frame.is_conditional():
        reject(frame)
        return ALL
    raise StanRuntimeError(message(statement.args, frame, 0), statement.span)


def reject(frame: Frame) -> None:
    """Make the density -inf for the draws here."""
    accumulate(frame.machine.target, frame.node, np.full((1, 1), -np.inf), ADD)


@executes(ast.Print)
def _print(statement: ast.Print, frame: Frame) -> Live:
    """Printed is what is known, lane by lane; what depends on parameters has no one value."""
    values = [evaluate(a, frame) for a in statement.args if not isinstance(a, ast.StringLiteral)]
    if frame.is_conditional() or not all(is_known(value.data) for value in values):
        return ALL
    for lane in range(frame.node.count):
        frame.machine.printed.append(message(statement.args, frame, lane))
    return ALL


def message(args: Sequence[ast.Expr], frame: Frame, lane: int) -> str:
    """The arguments of print or reject as Stan writes them, one after another."""
    return "".join(
        arg.value if isinstance(arg, ast.StringLiteral) else shown(evaluate(arg, frame), lane)
        for arg in args
    )


def flush(frame: Frame) -> None:
    """Write out what has been printed."""
    for line in frame.machine.printed:
        sys.stderr.write(line + "\n")
    frame.machine.printed.clear()
