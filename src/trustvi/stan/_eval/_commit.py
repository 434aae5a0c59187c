"""What a loop or a branch wrote, handed on to the lane set around it."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np

from trustvi.stan._eval._assemble import Part, arrangement_of, assemble, assemble_flat
from trustvi.stan._eval._lanes import Node, subset
from trustvi.stan._eval._log import ADD, SET, Entry, Log
from trustvi.stan._eval._memory import (
    Selection,
    accumulate,
    accumulate_flat,
    resolve,
    write,
    write_flat,
)
from trustvi.stan._eval._rows import multiply_groups, sum_groups, take
from trustvi.stan._eval._signals import NotScannableError
from trustvi.stan._eval._store import Store
from trustvi.stan.library._namespace import is_traced, namespace

Array = Any

# --------------------------------------------------------------------------- loops


def commit_loop(node: Node) -> None:
    """Of several lanes' assignments to one element the last counts; sums are summed."""
    assert node.parent is not None
    for store, log in node.logs.items():
        keys, found = log.final()
        lanes, elements = log.split(keys)
        for number in np.unique(found.entry):
            chosen = np.flatnonzero(found.entry == number)
            write_flat(
                store,
                node.parent,
                None,
                lanes[chosen],
                elements[chosen],
                found.row[chosen],
                log.entries[number].values,
            )
        for number, entry in enumerate(log.entries):
            if entry.kind != SET:
                _commit_sum(log, number)


def _commit_sum(log: Log, number: int) -> None:
    entry, chosen = log.entries[number], log.surviving(number)
    if not len(chosen):
        return
    if log.node.scan is not None and is_traced(entry.values):
        if len(chosen) < len(entry.rows):
            raise NotScannableError
        _commit_sum_in_scan(log, entry)
        return
    keys, groups = np.unique(entry.keys[chosen], return_inverse=True)
    if log.store.is_total:
        keys, groups = keys[:1], np.zeros_like(groups)
    values = _grouped(entry, entry.rows[chosen], groups, len(keys))
    lanes, elements = log.split(keys)
    assert log.node.parent is not None
    accumulate_flat(log.store, log.node.parent, lanes, elements, values, entry.kind)


def _grouped(entry: Entry, rows: np.ndarray, groups: np.ndarray, count: int) -> Array:
    """The sums (or products) of rows by group; a row that occurs again is multiplied instead."""
    values = entry.values
    if len(values) < len(rows):
        pairs, times = np.unique(groups * len(values) + rows, return_counts=True)
        groups, rows = np.divmod(pairs, len(values))
        weights = times.reshape(-1, *(1,) * (values.ndim - 1)).astype(values.dtype)
        values = take(values, rows)
        if (times > 1).any():
            values = values * weights if entry.kind == ADD else values**weights
    else:
        values = take(values, rows)
    reduce = sum_groups if entry.kind == ADD else multiply_groups
    return reduce(values, groups, count)


def _commit_sum_in_scan(log: Log, entry: Entry) -> None:
    """Sums over the columns of one step, for elements that are the same in all iterations."""
    if entry.grid is None or log.node.parent is None:
        raise NotScannableError
    writer, slots = entry.grid
    parent = log.node.parent
    value = assemble(writer, [Part(entry.values, entry.rows, np.arange(len(entry.rows)))], slots)
    value = jnp.broadcast_to(value, (writer.width, *value.shape[1:]))
    if writer.mask is not None:
        present = writer.lift_arranged(writer.mask[..., None])
        shape = (present.shape[0], *(1,) * (value.ndim - 1))
        value = jnp.where(present.reshape(shape), value, 0.0 if entry.kind == ADD else 1.0)
    columns = np.arange(writer.width)
    for node in writer.chain(parent):
        columns = columns if node.columns is None else node.columns[columns]
    reduce = sum_groups if entry.kind == ADD else multiply_groups
    total = reduce(value, columns, parent.width)
    lanes, elements = _elements_by_lane(log, entry, slots)
    around = subset(parent, lanes)
    total = around.from_ancestor(total, parent)
    selection = Selection(elements, (slots,))
    accumulate(log.store, around, total, entry.kind, selection)


def _elements_by_lane(log: Log, entry: Entry, slots: int) -> tuple[np.ndarray, np.ndarray]:
    """The lanes around the loop, and the elements that all iterations of each add to."""
    lanes, elements = log.split(entry.keys)
    lanes, elements = lanes[::slots], elements.reshape(-1, slots)
    distinct, first, place = np.unique(lanes, return_index=True, return_inverse=True)
    if not np.array_equal(elements, elements[first][place]):
        raise NotScannableError
    return distinct, elements[first]


# --------------------------------------------------------------------------- branches


def commit_branches(then: Node, otherwise: Node) -> None:
    """Where the condition holds, what one side wrote, and elsewhere what the other did."""
    assert then.parent is not None
    for store in dict.fromkeys((*then.logs, *otherwise.logs)):
        _merge_sets(store, then, otherwise)
    for side in (then, otherwise):
        for log in side.logs.values():
            for number, entry in enumerate(log.entries):
                if entry.kind != SET:
                    _commit_masked(log, number)


def _merge_sets(store: Store, then: Node, otherwise: Node) -> None:
    node = then.parent
    assert node is not None
    sides = [side.logs[store].final() if store in side.logs else None for side in (then, otherwise)]
    keys = np.unique(np.concatenate([side[0] for side in sides if side is not None]))
    if not len(keys):
        return
    lanes, elements = np.divmod(keys, max(1, store.size))
    counts = np.bincount(lanes, minlength=node.count)
    slots = int(counts.max())
    if (counts[counts > 0] != slots).any():
        _merge_irregular(store, then, otherwise, lanes, elements)
        return
    around = subset(node, np.flatnonzero(counts))
    values = [_side(store, side, around, slots, lanes, elements) for side in (then, otherwise)]
    condition = around.from_ancestor(then.condition, node)
    merged = chosen(*around.joint([condition, *values]))
    write(store, around, merged, Selection(elements.reshape(-1, slots), (slots,)))


def _side(
    store: Store, side: Node, around: Node, slots: int, lanes: np.ndarray, elements: np.ndarray
) -> Array:
    """What one side leaves in the elements: axes (lanes|1, slots, *block, draws)."""
    parts = _side_parts(store, side, arrangement_of(around, slots), lanes, elements)
    return assemble(around, parts, slots)


def _side_parts(
    store: Store,
    side: Node,
    arrangement: np.ndarray | None,
    lanes: np.ndarray,
    elements: np.ndarray,
) -> list[Part]:
    places = np.arange(len(lanes))
    rest, parts = places, []
    if store in side.logs:
        log = side.logs[store]
        found = log.find(log.keys(lanes, elements), lanes)
        parts = log.parts(found, np.flatnonzero(found.entry >= 0), places)
        rest = np.flatnonzero(found.entry < 0)
    if len(rest):
        assert side.parent is not None
        parts += resolve(store, side.parent, arrangement, lanes[rest], elements[rest], places[rest])
    return parts


def _merge_irregular(
    store: Store, then: Node, otherwise: Node, lanes: np.ndarray, elements: np.ndarray
) -> None:
    """Lanes that wrote different numbers of elements: one row for each element."""
    node = then.parent
    assert node is not None
    if node.scan is not None:
        raise NotScannableError
    values = [
        assemble_flat(_side_parts(store, side, None, lanes, elements), len(lanes))
        for side in (then, otherwise)
    ]
    condition = then.condition
    if condition.shape[0] > 1:
        condition = take(condition, lanes)
    merged = chosen(condition, *values)
    write_flat(store, node, None, lanes, elements, np.arange(len(lanes)), merged)


def chosen(condition: Array, left: Array, right: Array) -> Array:
    """`left` where the condition, of shape (lanes|1, draws|1), holds, else `right`."""
    xp = namespace(condition, left, right)
    shape = (condition.shape[0], *(1,) * (left.ndim - 2), condition.shape[1])
    return xp.where(condition.reshape(shape), left, right)


def _commit_masked(log: Log, number: int) -> None:
    """A sum counts where the condition holds."""
    branch, entry = log.node, log.entries[number]
    node, rows = branch.parent, log.surviving(number)
    assert node is not None
    neutral = np.asarray(0 if entry.kind == ADD else 1, entry.values.dtype)
    lanes, elements = log.split(entry.keys[rows])
    if entry.grid is None or len(rows) < len(entry.rows):
        if node.scan is not None:
            raise NotScannableError
        values = take(entry.values, entry.rows[rows])
        condition = branch.condition
        if condition.shape[0] > 1:
            condition = take(condition, lanes)
        masked = chosen(condition, values, neutral.reshape((1,) * values.ndim))
        accumulate_flat(log.store, node, lanes, elements, masked, entry.kind)
        return
    writer, slots = entry.grid
    value = assemble(writer, [Part(entry.values, entry.rows, np.arange(len(rows)))], slots)
    condition = writer.from_ancestor(branch.condition, branch)
    value = writer.lift(value)
    masked = chosen(condition, value, neutral.reshape((1,) * value.ndim))
    around = subset(node, lanes[::slots])
    selection = Selection(elements.reshape(-1, slots), (slots,))
    accumulate(log.store, around, masked, entry.kind, selection)
