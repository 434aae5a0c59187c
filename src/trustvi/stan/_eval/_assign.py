"""Declarations and assignments."""

from __future__ import annotations

from typing import Any

import numpy as np

from trustvi.stan import _ast as ast
from trustvi.stan import _types as t
from trustvi.stan._diagnostics import StanRuntimeError
from trustvi.stan._eval._dispatch import evaluate
from trustvi.stan._eval._expressions import operate, path_of, stores_of
from trustvi.stan._eval._facts import Accumulation, base_name
from trustvi.stan._eval._frame import Frame, Variable
from trustvi.stan._eval._indexing import (
    Picks,
    are_known,
    evaluate_index,
    pick_all,
    picks_for,
    put_traced,
    selection,
)
from trustvi.stan._eval._library import static_int
from trustvi.stan._eval._memory import Selection, accumulate, read_raw, write
from trustvi.stan._eval._store import Store
from trustvi.stan._transforms import Layout, layout_of
from trustvi.stan._values import Array, Value, dtype_of, leaves, map_data, promote, promoted

# --------------------------------------------------------------------------- declarations


def declare(statement: ast.Declaration, frame: Frame) -> Layout:
    """Make a variable of this block; without a value it holds what can't be mistaken for one."""
    layout = layout_here(statement, frame)
    assert statement.type is not None
    if statement.value is not None:
        value = promoted(evaluate(statement.value, frame), statement.type)
        _verify_sizes(statement.name, layout, value)
        frame.bind(statement.name, value)
    else:
        frame.scope.names[statement.name] = _unset_variable(statement, layout, frame)
    return layout


def layout_here(statement: ast.Declaration, frame: Frame) -> Layout:
    """The sizes of a declared variable in the lanes here."""

    def size(expr: ast.Expr) -> int:
        return static_int(evaluate(expr, frame).array, frame)

    return layout_of(statement.declared, statement.name, size)


def shapes(layout: Layout, outer: tuple[int, ...] = ()) -> Any:
    """The event shape of a variable, for a tuple one for each of its elements."""
    if layout.is_tuple:
        return tuple(shapes(each, outer + layout.array_dims) for each in layout.elements)
    return _Shape(outer + layout.shape)


class _Shape:
    """A shape, told from a tuple of shapes."""

    def __init__(self, sizes: tuple[int, ...]) -> None:
        self.sizes = sizes


def _unset_variable(statement: ast.Declaration, layout: Layout, frame: Frame) -> Variable:
    assert statement.type is not None
    name, depth = statement.name, frame.activation.depths.get(statement.name, 0)

    def store(shape: _Shape, dtype: np.dtype[Any]) -> Store:
        return Store(frame.identity(name), frame.node, shape.sizes, dtype, depth)

    stores = map_data(store, shapes(layout), _dtypes(statement.type))
    return Variable(name, statement.type, stores)


def _dtypes(type: t.Type) -> Any:
    inner, _ = t.unwind(type)
    if isinstance(inner, t.Tuple):
        return tuple(map(_dtypes, inner.elements))
    return dtype_of(inner)


def _verify_sizes(name: str, layout: Layout, value: Value) -> None:
    for shape, array in zip(leaves(shapes(layout)), leaves(value.data), strict=True):
        verify_shape(name, shape.sizes, array)


def verify_shape(name: str, shape: tuple[int, ...], array: Array) -> None:
    """What is assigned must have the sizes of what it is assigned to."""
    given = array.shape[1:-1]
    if given == shape:
        return
    axis = next(i for i, (a, b) in enumerate(zip(shape, given, strict=True)) if a != b)
    side = ("rows", "columns", "sizes")[min(axis, 2)]
    raise StanRuntimeError(
        f"assign {side}: assigning variable {name} ({shape[axis]}) and right hand side {side} "
        f"({given[axis]}) must match in size"
    )


# --------------------------------------------------------------------------- assignments


def assign(statement: ast.Assign, frame: Frame) -> None:
    """`x = e`, `x[i] += e`, `(a, b) = e`."""
    found = frame.machine.facts.accumulation(statement)
    if found is not None and _accumulate(statement.target, found, frame):
        return
    value = evaluate(statement.value, frame)
    if statement.op is not None:
        value = operate(statement.op, [evaluate(statement.target, frame), value], frame)
    assign_to(statement.target, value, frame)


def assign_to(target: ast.Expr, value: Value, frame: Frame) -> None:
    if isinstance(target, ast.Paren):
        assign_to(target.inner, value, frame)
        return
    if isinstance(target, ast.TupleLiteral):
        assert isinstance(value.type, t.Tuple)
        items = zip(target.elements, value.type.elements, value.data, strict=True)
        for element, kind, item in items:
            assign_to(element, Value(kind, item), frame)
        return
    assert target.type is not None
    data = promote(value.data, target.type)
    steps = evaluated_steps(target, frame)
    for store, array in zip(leaves(stores_of(target, frame)), leaves(data), strict=True):
        _assign_leaf(base_name(target), store, steps, array, frame)


def evaluated_steps(target: ast.Expr, frame: Frame) -> list[list[tuple[str, Any]]]:
    _, steps = path_of(target)
    return [[evaluate_index(index, frame) for index in step] for step in steps]


def _assign_leaf(
    name: str, store: Store, steps: list[list[tuple[str, Any]]], array: Array, frame: Frame
) -> None:
    if not steps:
        if 0 in store.event and store.owner is frame.node:
            store.resize(array.shape[1:-1])
        verify_shape(name, store.event, array)
        write(store, frame.node, array)
        return
    picks = picks_for(steps[0], store.event, frame)
    if not are_known(picks):
        verify_shape(name, picked_shape(picks, store.event), array)
        before = read_raw(store, frame.node)
        write(store, frame.node, put_traced(before, picks, array, frame.node))
        return
    chosen = _selected(store, picks, steps[1:], frame)
    verify_shape(name, chosen.shape + store.block, array)
    write(store, frame.node, array, chosen)


def picked_shape(picks: Picks, event: tuple[int, ...]) -> tuple[int, ...]:
    """The event shape of what indices pick."""
    padded = [*picks, *[None] * (len(event) - len(picks))]
    return tuple(
        size if pick is None else pick.places.shape[1]
        for pick, size in zip(padded, event, strict=True)
        if pick is None or not pick.single
    )


def _selected(
    store: Store, picks: Picks, further: list[list[tuple[str, Any]]], frame: Frame
) -> Selection:
    """The elements that all the index steps together name."""
    first = selection(picks, store.event, store.depth)
    if not further:
        return first
    places: Array = first.elements.reshape(len(first.elements), *first.shape, 1)
    for step in further:
        places = pick_all(places, picks_for(step, places.shape[1:-1], frame), frame.node)
    return Selection(places.reshape(len(places), -1), places.shape[1:-1])


# --------------------------------------------------------------------------- sums and products


def _accumulate(target: ast.Expr, found: Accumulation, frame: Frame) -> bool:
    """Add to the target, or multiply it; False if its place isn't known now."""
    stores = stores_of(target, frame)
    steps = evaluated_steps(target, frame)
    if len(steps) > 1 or isinstance(stores, tuple):
        return False
    chosen = None
    if steps:
        picks = picks_for(steps[0], stores.event, frame)
        if not are_known(picks):
            return False
        chosen = selection(picks, stores.event, stores.depth)
    value = promote(_summed(found, frame).data, target.type or t.REAL)
    shape = stores.event if chosen is None else chosen.shape + stores.block
    verify_shape(base_name(target), shape, value)
    accumulate(stores, frame.node, value, found.kind, chosen)
    return True


def _summed(found: Accumulation, frame: Frame) -> Value:
    """The terms together, so that their sum is added in one go."""
    total: Value | None = None
    for sign, term in found.terms:
        value = evaluate(term, frame)
        if total is None:
            total = value if sign else operate(ast.Op.NEG, [value], frame)
        else:
            total = operate(ast.Op.ADD if sign else ast.Op.SUB, [total, value], frame)
    assert total is not None
    return total
