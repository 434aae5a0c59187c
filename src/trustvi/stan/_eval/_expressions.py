"""The rules for expressions other than calls."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from trustvi.stan import _ast as ast
from trustvi.stan import _types as t
from trustvi.stan._eval._dispatch import evaluate, evaluates
from trustvi.stan._eval._frame import Frame, FunctionName, value_of
from trustvi.stan._eval._indexing import (
    Picks,
    are_known,
    evaluate_index,
    kept_axes,
    pick_all,
    picks_for,
    selection,
)
from trustvi.stan._eval._lanes import Node
from trustvi.stan._eval._library import call_row
from trustvi.stan._eval._memory import comes_under_guard, read, read_raw
from trustvi.stan._eval._merging import as_int, choose, truth
from trustvi.stan._eval._store import Store
from trustvi.stan._overloads import Given, Match, resolve_operator
from trustvi.stan._values import (
    Array,
    Value,
    known_int,
    known_scalar,
    map_data,
    promote,
    promoted,
    stack_events,
)
from trustvi.stan.library._namespace import is_traced, namespace
from trustvi.stan.library._table import Row, operator_overloads

# --------------------------------------------------------------------------- literals


@evaluates(ast.IntLiteral)
def _int_literal(expr: ast.IntLiteral, frame: Frame) -> Value:
    return known_int(expr.value)


@evaluates(ast.RealLiteral)
def _real_literal(expr: ast.RealLiteral, frame: Frame) -> Value:
    return known_scalar(float(expr.text), t.REAL)


@evaluates(ast.ImagLiteral)
def _imaginary_literal(expr: ast.ImagLiteral, frame: Frame) -> Value:
    return known_scalar(complex(0.0, float(expr.text)), t.COMPLEX)


@evaluates(ast.Paren)
def _paren(expr: ast.Paren, frame: Frame) -> Value:
    return evaluate(expr.inner, frame)


@evaluates(ast.ArrayLiteral)
def _array_literal(expr: ast.ArrayLiteral, frame: Frame) -> Value:
    assert isinstance(expr.type, t.Array)
    element = expr.type.element
    items = [promoted(evaluate(each, frame), element).data for each in expr.elements]
    return Value(expr.type, map_data(lambda *arrays: _stacked(frame.node, arrays), *items))


def _stacked(node: Node, arrays: tuple[Array, ...]) -> Array:
    return stack_events(node.joint(list(arrays)))


@evaluates(ast.RowLiteral)
def _row_literal(expr: ast.RowLiteral, frame: Frame) -> Value:
    """`[a, b]`: a row vector of scalars, or a matrix of row vectors."""
    assert expr.type is not None
    if not expr.elements:
        return Value(expr.type, np.zeros((1, 0, 1)))
    items = [promote(evaluate(each, frame).data, expr.type) for each in expr.elements]
    return Value(expr.type, _stacked(frame.node, tuple(items)))


@evaluates(ast.TupleLiteral)
def _tuple_literal(expr: ast.TupleLiteral, frame: Frame) -> Value:
    assert expr.type is not None
    return Value(expr.type, tuple(evaluate(each, frame).data for each in expr.elements))


# --------------------------------------------------------------------------- variables


@evaluates(ast.Variable)
def _variable(expr: ast.Variable, frame: Frame) -> Value:
    if isinstance(expr.type, t.Function):
        name: Any = FunctionName(expr.name, expr.type)
        return Value(expr.type, name)
    return value_of(frame.variable(expr.name), frame.node)


@evaluates(ast.TargetValue)
def _target(expr: ast.TargetValue, frame: Frame) -> Value:
    """What was added so far, the transforms of the parameters included."""
    target, slope = read(frame.machine.target, frame.node), frame.machine.slope
    target, slope = frame.node.joint([target, namespace(slope).reshape(slope, (1, -1))])
    return Value(t.REAL, target + slope)


@evaluates(ast.Indexed, ast.TupleItem)
def _element(expr: ast.Indexed | ast.TupleItem, frame: Frame) -> Value:
    """Part of a variable is read as such, part of another expression picked from its value."""
    assert expr.type is not None
    base, steps = path_of(expr)
    indices = [[evaluate_index(index, frame) for index in step] for step in steps]
    if isinstance(base, ast.Variable):
        stores = stores_of(expr, frame)
        data = map_data(lambda store: read_part(store, indices, frame), stores)
    else:
        whole = _items(evaluate(base, frame).data, expr)
        data = map_data(lambda array: _part(array, indices, frame), whole)
    return Value(expr.type, data)


Steps = list[tuple[ast.Index, ...]]


def path_of(expr: ast.Expr) -> tuple[ast.Expr, Steps]:
    """What is indexed, and the indices step by step: `x[i][j]` is one step, `x[2:][1]` two.

    Items of tuples are left out: an array of tuples is a tuple of arrays, so that indices and
    items don't mind their order.
    """
    steps: Steps = []
    while True:
        match expr:
            case ast.Indexed():
                if steps and all(map(_is_single, expr.indices)):
                    steps[0] = expr.indices + steps[0]
                else:
                    steps.insert(0, expr.indices)
                expr = expr.base
            case ast.TupleItem():
                expr = expr.base
            case ast.Paren():
                expr = expr.inner
            case _:
                return expr, steps


def _is_single(index: ast.Index) -> bool:
    return isinstance(index, ast.SingleIndex) and index.value.type == t.INT


def _items(data: Any, expr: ast.Expr) -> Any:
    """The part of a tuple (of arrays, of stores) that the items in an expression name."""
    match expr:
        case ast.TupleItem():
            return _items(data, expr.base)[expr.item - 1]
        case ast.Indexed():
            return _items(data, expr.base)
        case ast.Paren():
            return _items(data, expr.inner)
        case _:
            return data


def stores_of(expr: ast.Expr, frame: Frame) -> Any:
    """The stores of the variable, or of the item of a variable, that an expression indexes."""
    base, _ = path_of(expr)
    assert isinstance(base, ast.Variable)
    return _items(frame.variable(base.name).stores, expr)


def read_part(store: Store, indices: list[list[tuple[str, Any]]], frame: Frame) -> Array:
    """Some elements of a variable."""
    if not indices:
        return read(store, frame.node)
    picks = picks_for(indices[0], store.event, frame)
    by_elements = not store.is_whole or frame.node.barrier(store) is not None
    if by_elements and are_known(picks):
        array = _read_elements(store, picks, frame)
    else:
        array = pick_all(read_raw(store, frame.node), picks, frame.node)
    array = _part(array, indices[1:], frame)
    return frame.node.guarded(array) if comes_under_guard(store, frame.node) else array


def _read_elements(store: Store, picks: Picks, frame: Frame) -> Array:
    depth = store.depth
    array = read_raw(store, frame.node, selection(picks, store.event, depth))
    rest = picks[depth:]
    kept = kept_axes(picks[:depth]) + max(0, depth - len(picks))
    return pick_all(array, rest, frame.node, 1 + kept) if rest else array


def _part(array: Array, indices: list[list[tuple[str, Any]]], frame: Frame) -> Array:
    for step in indices:
        picks = picks_for(step, array.shape[1:-1], frame)
        array = pick_all(array, picks, frame.node)
    return array


# --------------------------------------------------------------------------- operators


@evaluates(ast.Unary)
def _unary(expr: ast.Unary, frame: Frame) -> Value:
    return operate(expr.op, [evaluate(expr.operand, frame)], frame)


@evaluates(ast.Binary)
def _binary(expr: ast.Binary, frame: Frame) -> Value:
    """A chain such as `a + b + ...` is worked off in a loop: it may be longer than the stack."""
    chain: list[ast.Binary] = []
    operand: ast.Expr = expr
    while isinstance(operand, ast.Binary):
        chain.append(operand)
        operand = operand.left
    value = evaluate(operand, frame)
    for each in reversed(chain):
        if each.op in (ast.Op.AND, ast.Op.OR):
            value = _short_circuit(each, value, frame)
        else:
            value = operate(each.op, [value, evaluate(each.right, frame)], frame)
    return value


def operate(op: ast.Op, operands: list[Value], frame: Frame) -> Value:
    """An operator is the library function it stands for."""
    return call_row(*_operator(op, tuple(each.type for each in operands)), operands, frame)


@functools.cache
def _operator(op: ast.Op, types: tuple[t.Type, ...]) -> tuple[Row, t.Function]:
    found = resolve_operator(op, tuple(map(Given, types)))
    assert isinstance(found, Match)
    return operator_overloads(op)[found.signature], found.signature


def _short_circuit(expr: ast.Binary, left: Value, frame: Frame) -> Value:
    """The right operand is evaluated only where the left one leaves the answer open."""
    holds = truth(left.data)

    def right(there: Frame) -> Value:
        return Value(t.INT, as_int(truth(evaluate(expr.right, there).data)))

    def settled(there: Frame) -> Value:
        return known_int(0 if expr.op is ast.Op.AND else 1)

    if not is_traced(holds):
        sides = (right, settled) if expr.op is ast.Op.AND else (settled, right)
        return choose(frame, holds, *sides)
    other = truth(right(frame).data)
    first, second = frame.node.joint([holds, other])
    both = namespace(first, second).logical_and if expr.op is ast.Op.AND else None
    joined = both(first, second) if both else first | second
    return Value(t.INT, as_int(joined))


@evaluates(ast.Ternary)
def _ternary(expr: ast.Ternary, frame: Frame) -> Value:
    assert expr.type is not None
    kind = expr.type
    condition = truth(evaluate(expr.condition, frame).data)
    return choose(
        frame,
        condition,
        lambda there: promoted(evaluate(expr.if_true, there), kind),
        lambda there: promoted(evaluate(expr.if_false, there), kind),
    )
