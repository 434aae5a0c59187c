"""Calls of library functions: arguments laid out as each convention wants them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from trustvi.stan import _types as t
from trustvi.stan._diagnostics import StanRuntimeError
from trustvi.stan._eval._frame import Frame
from trustvi.stan._eval._lanes import Node
from trustvi.stan._eval._signals import RaggedError
from trustvi.stan._values import (
    Array,
    Data,
    Value,
    event_shape,
    is_known,
    leaves,
    map_data,
    promote,
    same_everywhere,
)
from trustvi.stan.library._namespace import is_traced
from trustvi.stan.library._table import Convention, Row
from trustvi.stan.library._terms import Terms

Rule = Callable[[Row, t.Function, list[Data], Frame], Data]


UNNORMALIZED = {"lupdf": "lpdf", "lupmf": "lpmf"}


def plain_name(name: str) -> tuple[str, bool]:
    """The name under which a function is kept, and whether constants may be dropped."""
    head, _, suffix = name.rpartition("_")
    return (f"{head}_{UNNORMALIZED[suffix]}", True) if suffix in UNNORMALIZED else (name, False)


def call_row(row: Row, callee: t.Function, args: Sequence[Value], frame: Frame) -> Value:
    """Apply a library function other than a density."""
    types = [argument.type for argument in callee.arguments]
    data = [promote(arg.data, kind) for arg, kind in zip(args, types, strict=True)]
    if row.implementation is None:
        raise StanRuntimeError(f"{row.name} has no implementation")
    result = _RULES[row.convention](row, callee, data, frame)
    return Value(callee.result, promote(result, callee.result))


# --------------------------------------------------------------------------- elementwise


def aligned(arrays: Sequence[Array], name: str) -> list[Array]:
    """`arrays` with event axes of one number, scalars' of size 1."""
    rank = max(array.ndim for array in arrays)
    shapes = {event_shape(a) for a in arrays if a.ndim == rank}
    if len(shapes) > 1:
        _refuse_sizes(name, sorted(shapes))
    return [_with_rank(array, rank, name) for array in arrays]


def _with_rank(array: Array, rank: int, name: str) -> Array:
    missing = rank - array.ndim
    if not missing:
        return array
    return array.reshape(array.shape[0], *(1,) * missing, *array.shape[1:])


def _refuse_sizes(name: str, shapes: list[tuple[int, ...]]) -> None:
    sizes = [" x ".join(map(str, shape)) for shape in shapes]
    raise StanRuntimeError(
        f"{name}: sizes of arguments must match, but they are {' and '.join(sizes)}"
    )


def _elementwise(row: Row, callee: t.Function, data: list[Data], frame: Frame) -> Array:
    arrays = operands(data, frame.node)
    return row.run(*aligned(arrays, row.name))


def operands(arrays: Sequence[Array], node: Node) -> list[Array]:
    """Arrays that an elementwise operation brings together lane by lane."""
    arrays = node.joint(list(arrays))
    if node.tells_lanes_apart and any(array.shape[0] > 1 for array in arrays):
        arrays = [node.guarded(a, by_lane=True) if a.shape[0] == 1 else a for a in arrays]
    return arrays


# --------------------------------------------------------------------------- batched


def _batched(row: Row, callee: t.Function, data: list[Data], frame: Frame) -> Data:
    node = frame.node
    arrays = list(data)
    for position in row.static:
        if position < len(arrays):
            arrays[position] = static_int(arrays[position], frame)
    traced = any(not is_known(a) for a in arrays if not isinstance(a, int))
    if traced and node.scan is not None:
        arrays = [a if isinstance(a, int) else map_data(node.lift, a) for a in arrays]
    result = row.run(*arrays)
    return map_data(node.guarded, result) if node.tells_lanes_apart else result


def static_int(array: Array, frame: Frame) -> int:
    """An integer that the shape of a result depends on: the same in all lanes."""
    if is_traced(array):
        raise frame.unknown("a size")
    if not same_everywhere(array):
        raise RaggedError(frame.node, array.reshape(len(array), -1)[:, 0])
    return int(array.flat[0])


# --------------------------------------------------------------------------- one event at a time


def _event(row: Row, callee: t.Function, data: list[Data], frame: Frame) -> Data:
    return map_events(row.run, data, row.static, frame)


def map_events(
    function: Callable[..., Any], data: Sequence[Data], static: Sequence[int], frame: Frame
) -> Data:
    """Apply a function of events, such as a decomposition, in all lanes and draws.

    Arguments that are not arrays (functions) are handed through.
    """
    node = frame.node
    args = list(data)
    for position in static:
        if position < len(args):
            args[position] = static_int(args[position], frame)
    flat = [leaf for arg in args if _is_data(arg) for leaf in leaves(arg)]
    if not is_traced(*flat):
        return _map_known(function, args, node)
    args = [map_data(node.lift, arg) if _is_data(arg) else arg for arg in args]
    result = _map_traced(function, args)
    return map_data(node.guarded, result) if node.tells_lanes_apart else result


def _is_data(arg: Any) -> bool:
    return isinstance(arg, np.ndarray | jax.Array | tuple)


def _map_known(function: Callable[..., Any], args: list[Any], node: Node) -> Data:
    """One lane after another, once if they are the same."""
    same = all(same_everywhere(leaf) for arg in args if _is_data(arg) for leaf in leaves(arg))
    results = []
    for lane in range(1 if same else node.count):
        events = [map_data(lambda a, i=lane: _lane(a, i)[..., 0], arg) if _is_data(arg) else arg
                  for arg in args]  # fmt: skip
        results.append(map_data(lambda r: np.asarray(r)[None, ..., None], function(*events)))
    return map_data(lambda *each: np.concatenate(each), *results)


def _lane(array: Array, lane: int) -> Array:
    return array[lane if array.shape[0] > 1 else 0]


def _map_traced(function: Callable[..., Any], args: list[Any]) -> Data:
    """`vmap` over the lanes and draws axes of those arguments that have them.

    Known arguments that are the same in all lanes stay known, so that they may decide about the
    structure of the computation.
    """
    arrays: list[Array] = []

    def event(array: Array) -> Any:
        if not is_traced(array) and array.shape[0] == 1:
            return _Fixed(array[0, ..., 0])
        arrays.append(jnp.asarray(array))
        return _Slot(len(arrays) - 1)

    plan = [map_data(event, arg) if _is_data(arg) else _Fixed(arg) for arg in args]

    def one(*events: Array) -> Any:
        return function(*(map_data(lambda each: each.get(events), part) for part in plan))

    # Axes of size 1 are taken away rather than mapped: the result then has none of its own.
    lanes = [0 if a.shape[0] > 1 else None for a in arrays]
    draws = [-1 if a.shape[-1] > 1 else None for a in arrays]
    squeezed = [a if d is not None else a[..., 0] for a, d in zip(arrays, draws, strict=True)]
    squeezed = [a if k is not None else a[0] for a, k in zip(squeezed, lanes, strict=True)]
    mapped = one
    if any(axis is not None for axis in lanes):
        mapped = jax.vmap(mapped, in_axes=tuple(lanes))
    if any(axis is not None for axis in draws):
        mapped = jax.vmap(mapped, in_axes=tuple(draws), out_axes=-1)
    result = mapped(*map(jnp.asarray, squeezed))  # custom rules meet no NumPy arrays under jit

    def expand(array: Array) -> Array:
        array = jnp.asarray(array)
        array = array if any(axis is not None for axis in lanes) else array[None]
        return array if any(axis is not None for axis in draws) else array[..., None]

    return map_data(expand, result)


class _Fixed:
    def __init__(self, value: Any) -> None:
        self.value = value

    def get(self, events: Sequence[Array]) -> Any:
        return self.value


class _Slot:
    def __init__(self, number: int) -> None:
        self.number = number

    def get(self, events: Sequence[Array]) -> Any:
        return events[self.number]


# --------------------------------------------------------------------------- densities


def density(
    row: Row, callee: t.Function, args: Sequence[Value], frame: Frame, *, propto: bool, total: bool
) -> Array:
    """A log density, axes (lanes|1, draws|1); with `total` the sum over all lanes."""
    types = [argument.type for argument in callee.arguments]
    data = [promote(arg.data, kind) for arg, kind in zip(args, types, strict=True)]
    lanes = frame.node.count if total else None
    if row.convention is Convention.DENSITY:
        arrays = aligned(operands(data, frame.node), row.name)
        terms = Terms.aligned(row.name, *arrays, propto=propto, lanes=lanes)
    else:
        arrays = list(data)
        if not all(map(is_known, arrays)):
            arrays = [map_data(frame.node.lift, each) for each in arrays]
        terms = Terms(row.name, (), propto, lanes)
    row.run(terms, *arrays)
    return terms.total()


def is_density(row: Row) -> bool:
    return row.convention in (Convention.DENSITY, Convention.MULTIVARIATE)


# --------------------------------------------------------------------------- random numbers


def _random(row: Row, callee: t.Function, data: list[Data], frame: Frame) -> Array:
    machine, node = frame.machine, frame.node
    arrays = aligned(node.joint(list(data)), row.name) if data else []
    event = np.broadcast_shapes((), *(event_shape(array) for array in arrays))
    shape = (node.width, *event, machine.draws)
    key = machine.next_key(node)
    drawn = row.run(key, shape, *arrays)
    return drawn if machine.traced else np.asarray(drawn)


def _random_event(row: Row, callee: t.Function, data: list[Data], frame: Frame) -> Data:
    """One key for each lane and draw, mapped with the arguments."""
    machine, node = frame.machine, frame.node
    key = machine.next_key(node)
    keys = jax.random.split(key, (node.width, machine.draws))
    result = map_events(row.run, [keys, *data], [k + 1 for k in row.static], frame)
    return result if machine.traced else map_data(np.asarray, result)


_RULES: dict[Convention, Rule] = {
    Convention.ELEMENTWISE: _elementwise,
    Convention.BATCHED: _batched,
    Convention.EVENT: _event,
    Convention.RNG: _random,
    Convention.RNG_EVENT: _random_event,
}
