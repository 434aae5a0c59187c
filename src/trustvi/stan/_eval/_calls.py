"""Calls: of the program's own functions, which run in place, and of the library's."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np

from trustvi.stan import _ast as ast
from trustvi.stan import _types as t
from trustvi.stan._diagnostics import StanRuntimeError, StanUnsupportedError
from trustvi.stan._eval._assemble import Part, assemble
from trustvi.stan._eval._dispatch import evaluate, evaluates, execute
from trustvi.stan._eval._facts import RESULT, TARGET
from trustvi.stan._eval._frame import (
    Activation,
    Frame,
    FunctionName,
    Result,
    Scope,
    data_of,
)
from trustvi.stan._eval._indexing import Pick, pick_all
from trustvi.stan._eval._lanes import loop, root
from trustvi.stan._eval._library import call_row, density, is_density, map_events, plain_name
from trustvi.stan._eval._memory import write
from trustvi.stan._eval._ragged import over_slices
from trustvi.stan._eval._running import running
from trustvi.stan._eval._signals import RaggedError, SequentialError
from trustvi.stan._eval._store import Store
from trustvi.stan._values import (
    Data,
    Value,
    known_int,
    known_scalar,
    leaves,
    map_data,
    promoted,
    with_dtype,
)
from trustvi.stan.library._namespace import is_traced
from trustvi.stan.library._table import Row, lookup, overloads


@evaluates(ast.Call)
def _call(expr: ast.Call, frame: Frame) -> Value:
    result = call(expr, frame)
    assert result is not None
    return result


def call(expr: ast.Call, frame: Frame) -> Value | None:
    """The value of a call, None of a function that returns nothing."""
    found = None if expr.user_defined else running(expr, frame) or over_slices(expr, frame)
    if found is not None:
        return found
    args = [evaluate(arg, frame) for arg in expr.args]
    name, unnormalized = plain_name(expr.name)
    assert expr.callee is not None
    if expr.user_defined:
        return call_user(name, expr.callee, args, frame, unnormalized)
    if name in _SPECIAL:
        return _SPECIAL[name](expr, args, frame)
    row = row_of(expr, name)
    if isinstance(expr.callee.arguments[0].type if args else None, t.Function):
        return _call_solver(row, expr.callee, args, frame)
    if is_density(row):
        propto = unnormalized and frame.propto
        return Value(t.REAL, density(row, expr.callee, args, frame, propto=propto, total=False))
    return call_row(row, expr.callee, args, frame)


def row_of(expr: ast.Call, name: str) -> Row:
    """The library's row for a call."""
    assert expr.callee is not None
    row = overloads(name).get(expr.callee) or next(iter(lookup(name)), None)
    if row is None or row.implementation is None:
        raise StanUnsupportedError(f'the function "{name}" is not available', expr.span)
    return row


# --------------------------------------------------------------------------- own functions


def call_user(
    name: str, callee: t.Function, args: Sequence[Value], frame: Frame, unnormalized: bool
) -> Value | None:
    """Run a function's body in the lanes here."""
    definition = definition_of(name, callee, frame)
    machine = frame.machine
    activation = Activation(machine.facts.depths(definition.body))
    keeps = unnormalized or name.endswith(("_lp", "_jacobian"))
    inside = Frame(
        machine,
        frame.node,
        Scope(),
        activation,
        propto=frame.propto and keeps,
        result=Result(definition.result, frame.node),
    )
    for parameter, arg in zip(definition.parameters, args, strict=True):
        inside.bind(parameter.name, promoted(arg, parameter.type))
    assert definition.body is not None
    try:
        execute(definition.body, inside)
    except RecursionError:
        message = f'the recursion of "{name}" is too deep, or has no end that is known from data'
        raise StanUnsupportedError(message, definition.name_span) from None
    if definition.result == t.VOID:
        return None
    assert inside.result is not None
    if inside.result.stores is None:
        raise StanRuntimeError(f'"{name}" ended without a return', definition.name_span)
    return Value(definition.result, data_of(inside.result.stores, frame.node))


def definition_of(name: str, callee: t.Function, frame: Frame) -> ast.FunctionDef:
    """The program's function with this name and these types of arguments."""
    wanted = [argument.type for argument in callee.arguments]
    for each in frame.machine.functions[name]:
        if [parameter.type for parameter in each.parameters] == wanted:
            return each
    raise KeyError(name)


def return_value(value: Value, frame: Frame) -> None:
    """Keep what a function returns in the lanes here."""
    result = frame.result
    assert result is not None
    value = promoted(value, result.type)
    if result.stores is None:
        identity = frame.identity(RESULT)
        result.stores = map_data(
            lambda array: Store(identity, result.node, array.shape[1:-1], array.dtype, 0),
            value.data,
        )
    for store, array in zip(leaves(result.stores), leaves(value.data), strict=True):
        if array.shape[1:-1] != store.event:
            if result.by_lane:
                raise SequentialError
            key = np.zeros(result.node.count, np.int64)
            key[frame.node.lanes_in(result.node, frame.node.all_lanes())] = 1
            raise RaggedError(result.node, key, frame.activation)
        write(store, frame.node, array)


# --------------------------------------------------------------------------- functions as arguments


def event_function(name: FunctionName, frame: Frame) -> Callable[..., Any]:
    """A function of the program as one of event arrays, for one lane and one draw."""
    plain, _ = plain_name(name.name)
    machine = frame.machine

    def function(*events: Any) -> Any:
        alone = dataclasses.replace(machine, draws=1)
        types = [argument.type for argument in name.signature.arguments]
        args = [Value(kind, map_data(_with_axes, each)) for kind, each in
                zip(types, events, strict=True)]  # fmt: skip
        here = Frame(alone, root(), Scope(), Activation({}))
        result = call_user(plain, name.signature, args, here, False)
        assert result is not None
        return map_data(lambda array: array[0, ..., 0], result.data)

    return function


def _with_axes(event: Any) -> Any:
    array = event if is_traced(event) else np.asarray(event)
    return array[None, ..., None]


def _call_solver(row: Row, callee: t.Function, args: list[Value], frame: Frame) -> Value:
    name: Any = args[0].data
    types = [argument.type for argument in callee.arguments[1:]]
    data = [promoted(arg, kind).data for arg, kind in zip(args[1:], types, strict=True)]
    _verify_integers(data, types, frame)
    function = event_function(name, frame)
    result = map_events(row.run, [function, *data], row.static, frame)
    return promoted(Value(callee.result, result), callee.result)


def _verify_integers(data: list[Data], types: list[t.Type], frame: Frame) -> None:
    """Integers that a function may use as indices must be known, so the same in all lanes."""
    for each, kind in zip(data, types, strict=True):
        if t.unwind(kind)[0] == t.INT and not is_traced(each) and each.shape[0] > 1:
            rows = each.reshape(len(each), -1)
            key = np.unique(rows, axis=0, return_inverse=True)[1].reshape(-1)
            if key.any():
                raise RaggedError(frame.node, key)


# --------------------------------------------------------------------------- special functions


def _reduce_sum(expr: ast.Call, args: list[Value], frame: Frame) -> Value:
    """The function on the whole array at once: sums over slices have no order."""
    name: Any = args[0].data
    plain, unnormalized = plain_name(name.name)
    count = next(leaves(args[1].data)).shape[1]
    if count == 0:
        return known_scalar(0.0, t.REAL)
    given = [args[1], known_int(1), known_int(count), *args[3:]]
    result = call_user(plain, name.signature, given, frame, unnormalized)
    assert result is not None
    return result


def _map_rect(expr: ast.Call, args: list[Value], frame: Frame) -> Value:
    """The function on all shards as lanes; one after another where their sizes differ."""
    name: Any = args[0].data
    shards = args[2].array.shape[1]
    if shards == 0:
        return Value(t.VECTOR, np.zeros((1, 0, 1)))
    try:
        return _shards_as_lanes(name, args, shards, frame)
    except RaggedError:
        return _shards_in_turn(name, args, shards, frame)


def _shard_arguments(args: list[Value], number: Any, frame: Frame) -> list[Value]:
    pick = (Pick(number, single=True),)
    elements = [t.VECTOR, t.Array(t.REAL), t.Array(t.INT)]
    return [args[1]] + [
        Value(kind, pick_all(arg.array, pick, frame.node))
        for arg, kind in zip(args[2:], elements, strict=True)
    ]


def _shards_as_lanes(name: FunctionName, args: list[Value], shards: int, frame: Frame) -> Value:
    node = frame.node
    inner = loop(node, np.full(node.count, shards), frozenset({TARGET}), frozenset())
    args = [args[0], *(Value(a.type, inner.from_ancestor(a.data, node)) for a in args[1:])]
    number = (np.arange(inner.count) % shards)[:, None, None]
    there = frame.at(inner)
    given = _shard_arguments(args, number, there)
    result = call_user(plain_name(name.name)[0], name.signature, given, there, False)
    assert result is not None
    array = result.array
    lanes = inner.column_of_lane() if is_traced(array) else inner.all_lanes()
    rows = np.zeros(inner.count, np.int64) if array.shape[0] == 1 else lanes
    grid = assemble(node, [Part(array, rows, inner.all_lanes())], shards)
    return Value(t.VECTOR, grid.reshape(grid.shape[0], -1, grid.shape[-1]))


def _shards_in_turn(name: FunctionName, args: list[Value], shards: int, frame: Frame) -> Value:
    pieces = []
    for shard in range(shards):
        given = _shard_arguments(args, np.full((1, 1, 1), shard), frame)
        result = call_user(plain_name(name.name)[0], name.signature, given, frame, False)
        assert result is not None
        pieces.append(result.array)
    pieces = frame.node.joint(pieces)
    lanes, draws = max(p.shape[0] for p in pieces), max(p.shape[-1] for p in pieces)
    xp = jnp if is_traced(*pieces) else np
    wide = [xp.broadcast_to(p, (lanes, p.shape[1], draws)) for p in pieces]
    return Value(t.VECTOR, with_dtype(xp.concatenate(wide, axis=1), np.dtype(float)))


_SPECIAL: dict[str, Callable[[ast.Call, list[Value], Frame], Value]] = {
    "reduce_sum": _reduce_sum,
    "reduce_sum_static": _reduce_sum,
    "map_rect": _map_rect,
}
