"""Iterations that depend on each other, as `lax.scan`: one traced body, run step after step.

Everything known is known for all steps at once, as for lanes. What the body takes from outside is
stacked along the steps; what it takes from earlier steps is in the carry; what it writes comes
out stacked and is handed on as if the lanes of the loop had written it.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from trustvi.stan import _ast as ast
from trustvi.stan._eval._assemble import assemble_columns
from trustvi.stan._eval._carry import (
    CELL,
    IMPORTED,
    WHOLE,
    Columns,
    columns_of,
    lane_grid,
    outer_log,
    sources,
)
from trustvi.stan._eval._frame import Frame, Live
from trustvi.stan._eval._lanes import Kind, Node, filled
from trustvi.stan._eval._log import SET, Entry, Log
from trustvi.stan._eval._memory import add_rows, log_of, resolve, write_flat
from trustvi.stan._eval._rows import take
from trustvi.stan._eval._scan_context import ScanContext
from trustvi.stan._eval._signals import CarriedInScanError, NotScannableError
from trustvi.stan._eval._statements import run
from trustvi.stan._eval._store import Store
from trustvi.stan._eval._undo import undoable
from trustvi.stan._values import Array, with_dtype
from trustvi.stan.library._namespace import is_traced


@dataclass
class Scan:
    """A stretch of a loop's body to be scanned; `frame` is at the loop's lanes."""

    statements: tuple[ast.Stmt, ...]
    steps: np.ndarray
    frame: Frame
    guard: Array = None
    carried: set[Hashable] = field(default_factory=set)

    @property
    def count(self) -> int:
        return int(self.steps.max()) + 1


def scan(
    statements: Sequence[ast.Stmt], steps: np.ndarray, frame: Frame, carried: set[Hashable]
) -> Live:
    """Run statements for one iteration after another; returns who goes on.

    `carried` are the variables that are known to be carried; what is found out is added.
    """
    job = Scan(tuple(statements), steps, frame, frame.node.guard, carried)
    node, live = _record(job)
    assert node.scan is not None
    columns = columns_of(node, node.scan.wanted)
    stacked, fixed = node.scan.gather()
    body = _Body(job, node, columns, list(stacked), fixed)
    start = {number: _start(each, node) for number, each in enumerate(columns)}
    imported = {n: start.pop(n) for n, each in enumerate(columns) if each.kind == IMPORTED}
    _, outputs = jax.lax.scan(body, start, (list(stacked.values()), imported), length=job.count)
    body.hand_on(outputs)
    return live


# --------------------------------------------------------------------------- recording


def _record(job: Scan) -> tuple[Node, Live]:
    """Run the body once, for nothing, until it is known which variables are carried."""
    while True:
        undo = undoable(job.frame)
        node = _lane_set(job)
        found: list[Live] = []

        def body(node: Node = node, found: list[Live] = found) -> None:
            found.append(run(job.statements, job.frame.at(node)))

        try:
            jax.eval_shape(body)
        except CarriedInScanError as signal:
            if signal.store.identity in job.carried:
                raise NotScannableError from None
            undo()
            job.carried.add(signal.store.identity)
            continue
        more = _newly_carried(node)
        if not more:
            if found[0].draws is not None:
                raise NotScannableError
            return node, found[0]
        undo()
        job.carried |= more


def _newly_carried(node: Node) -> set[Hashable]:
    """Variables that steps read from outside, though earlier steps write them."""
    assert node.scan is not None
    found: set[Hashable] = set()
    for store, lanes, elements in node.scan.reads:
        log = node.logs.get(store)
        if log is None or store.identity in found:
            continue
        keys = log.keys(lanes, elements)
        outside = sources(node, store, lanes, elements)[1]
        for sets in (True, False):
            inside = log.find_before(keys, lanes, sets)
            if ((inside.lane >= 0) & (inside.lane >= outside.lane)).any():
                found.add(store.identity)
    return found


def _lane_set(job: Scan, here: dict[Hashable, Array] | None = None) -> Node:
    """The loop's lanes, of which traced values have those of one step.

    `here` is what the step takes in, where that has been found out.
    """
    frame, steps, loop = job.frame, job.steps, job.frame.node
    assert loop.parent is not None
    assert loop.up is not None
    around = loop.parent
    trips = np.bincount(loop.up, minlength=around.count)
    first = np.cumsum(trips) - trips
    outer = around.all_lanes() if around.layout is None else around.layout
    step = np.arange(job.count)[:, None]
    lanes = first[outer][..., None, :] + step
    present = step < trips[outer][..., None, :]
    if around.mask is not None:
        present = present & around.mask[..., None, :]
    used = np.flatnonzero(present.reshape(-1, present.shape[-1]).any(axis=0))
    present = present[..., used]
    context = ScanContext(job.count, loop.scan, job.carried, frame.machine.draws, steps, here)
    facts = frame.machine.facts
    node = Node(
        Kind.SCAN,
        loop,
        loop.count,
        names=frame.identities(facts.assigned(job.statements)),
        sums=frame.identities(facts.sums(job.statements)),
        layout=filled(lanes[..., used], present),
        mask=None if present.all() else present,
        scan=context,
    )
    if job.guard is not None:
        node.condition = _guard(job.guard, node, loop)
    return node


def _guard(guard: Array, node: Node, loop: Node) -> Array:
    """The loop's own condition as it is in a step."""
    if guard.shape[0] == 1:
        return guard
    assert node.layout is not None
    columns = loop.column_of_lane()[node.layout]
    flat = columns.reshape(-1, *columns.shape[-2:])
    if not (flat == flat[:1]).all():
        raise NotScannableError
    assert node.scan is not None
    return node.scan.take_in_rows("guard", guard, flat[0])


# --------------------------------------------------------------------------- the carry


def _start(columns: Columns, node: Node) -> Any:
    """The carry of some columns before the first step; for imported ones all they ever are."""
    store, count = columns.store, columns.count
    if columns.kind == IMPORTED:
        lanes, elements, arrangement = columns.requests(node)
        rows = _outside(store, node, lanes, elements)
        picked = take(rows, np.maximum(arrangement, 0).ravel())
        return _filled_out(picked, node, store).reshape(
            len(columns.elements), count, *store.block, -1
        )
    if columns.kind == WHOLE:
        places = np.arange(node.width)
        lanes = np.repeat(lane_grid(node)[0], store.size)
        elements = np.tile(np.arange(store.size), len(places))
        return _filled_out(_outside(store, node, lanes, elements), node, store)
    if columns.kind == CELL:
        steps = (columns.elements >= 0).argmax(axis=0)
        return _first(columns, node, steps)
    last = len(columns.elements) - 1
    back = range(columns.kind - 1, -1, -1)
    return tuple(_first(columns, node, np.full(count, min(step, last))) for step in back)


def _first(columns: Columns, node: Node, steps: np.ndarray) -> Array:
    """What is wanted in these steps, one for each column, as it is before the scan.

    What isn't wanted then, or has been written in the scan by then, is never looked at.
    """
    store, count = columns.store, columns.count
    elements = columns.elements[steps, np.arange(count)]
    lanes = lane_grid(node)[steps, columns.places]
    inside, outside = sources(node, store, lanes, np.maximum(elements, 0))
    unwritten = (inside.lane < outside.lane) | (inside.lane < 0)
    needed = np.flatnonzero((elements >= 0) & unwritten)
    if not len(needed):
        return _filled_out(np.zeros((count, *store.block, 1)), node, store)
    rows = _outside(store, node, lanes[needed], elements[needed])
    place = np.zeros(count, np.int64)
    place[needed] = np.arange(len(needed))
    return _filled_out(take(rows, place), node, store)


def _outside(store: Store, node: Node, lanes: np.ndarray, elements: np.ndarray) -> Array:
    """Elements as lanes find them before the scan, one row each."""
    loop = node.parent
    assert loop is not None
    places = np.arange(len(lanes))
    if loop.scan is None:
        parts = resolve(store, loop, None, lanes, elements, places)
        return assemble_columns(loop, parts, places, len(lanes))
    arrangement = np.broadcast_to(places, (*loop.scan.steps, len(places)))
    parts = resolve(store, loop, arrangement, lanes, elements, places)
    return assemble_columns(loop, parts, arrangement, len(lanes))


def _filled_out(rows: Array, node: Node, store: Store) -> Array:
    """Rows of a carry: JAX arrays of the variable's dtype, with all draws."""
    assert node.scan is not None
    shape = (*rows.shape[:-1], node.scan.draws)
    return jnp.broadcast_to(jnp.asarray(with_dtype(rows, store.dtype)), shape)


class _Body:
    """The function that `lax.scan` traces."""

    def __init__(
        self,
        job: Scan,
        recorded: Node,
        columns: list[Columns],
        stacked: list[Hashable],
        fixed: dict[Hashable, Array],
    ) -> None:
        self.job, self.recorded, self.columns = job, recorded, columns
        self.stacked, self.fixed = stacked, fixed

    def __call__(self, carry: dict[int, Any], inputs: Any) -> tuple[dict[int, Any], Any]:
        stacked, imported = inputs
        node = _lane_set(self.job, {**self.fixed, **dict(zip(self.stacked, stacked, strict=True))})
        for number, columns in enumerate(self.columns):
            entry = _arrived(columns, carry.get(number), imported.get(number), node)
            log_of(node, columns.store).record(entry)
        self.arrived = {
            store: sum(each.store is store for each in self.columns) for store in node.logs
        }
        run(self.job.statements, self.job.frame.at(node))
        self.node = node
        following = {
            number: _following(self.columns[number], state, node, self.arrived, self.job.steps)
            for number, state in carry.items()
        }
        return following, self._outputs(node)

    def _outputs(self, node: Node) -> list[Array]:
        """The traced values written to variables from outside."""
        self.written: list[tuple[Log, int, int | None]] = []
        outputs: list[Array] = []
        for log in node.logs.values():
            for number in range(self.arrived.get(log.store, 0), len(log.entries)):
                values = log.entries[number].values
                traced = is_traced(values)
                self.written.append((log, number, len(outputs) if traced else None))
                outputs += [values] if traced else []
        return outputs

    def hand_on(self, outputs: Sequence[Array]) -> None:
        """Let the loop's lanes have written what the steps wrote."""
        loop, reads = self.job.frame.node, self._reads()
        for log, number, output in self.written:
            entry = log.entries[number]
            values, rows = entry.values, entry.rows
            if output is not None:
                stacked = outputs[output]
                rows = self.job.steps[entry.lanes] * stacked.shape[1] + rows
                values = stacked.reshape(-1, *stacked.shape[2:])
            _, elements = log.split(entry.keys)
            if entry.kind == SET:
                write_flat(log.store, loop, None, entry.lanes, elements, rows, values)
            else:
                at = log.surviving_by_lane(number)
                add_rows(
                    log.store, loop, entry.lanes[at], elements[at], rows[at], values, entry.kind
                )
        for log, lanes, keys, source in reads:
            log.record_reads(lanes, keys, source)

    def _reads(self) -> list[tuple[Log, np.ndarray, np.ndarray, np.ndarray]]:
        """What steps read of earlier ones, so that statements behind don't change it unnoticed."""
        found = []
        for columns in self.columns:
            log = outer_log(self.recorded, columns.store)
            if log is not None:
                lanes, elements, _ = columns.requests(self.recorded)
                inside, outside = sources(self.recorded, columns.store, lanes, elements)
                source = np.maximum(inside.lane, outside.lane)
                found.append((log, lanes, log.keys(lanes, elements), source))
        return found


def _arrived(columns: Columns, state: Any, imported: Array, node: Node) -> Entry:
    """What the steps before have left, as if this step had written it first."""
    log = log_of(node, columns.store)
    steps, numbers = columns.present()
    if columns.kind == CELL:
        numbers = np.tile(np.arange(columns.count), len(columns.elements))
        steps = np.repeat(np.arange(len(columns.elements)), columns.count)
    lanes = lane_grid(node)[steps, columns.places[numbers]]
    elements = columns.elements[steps, numbers]
    if columns.kind == CELL:
        elements = columns.elements.max(axis=0)[numbers]
    values = state
    if columns.kind == IMPORTED:
        values = imported
    elif columns.kind == WHOLE:
        at = columns.places * columns.store.size + np.maximum(columns.elements, 0)
        values = state.at[node.slice_steps(_around(at, node))].get(mode="promise_in_bounds")
    elif columns.kind != CELL:
        values = state[-1]
    return Entry(SET, lanes, log.keys(lanes, elements), numbers, values, None)


def _around(array: np.ndarray, node: Node) -> np.ndarray:
    """Something by step, repeated for the steps of the scans around."""
    assert node.scan is not None
    return np.broadcast_to(array, (*node.scan.steps[:-1], *array.shape))


def _following(
    columns: Columns, state: Any, node: Node, arrived: dict[Store, int], steps: np.ndarray
) -> Any:
    """The carry after a step."""
    if columns.kind == WHOLE:
        return _written_into(columns.store, state, node, arrived, steps)
    store = columns.store
    if columns.kind == CELL:
        shape = columns.elements.shape
        elements = np.broadcast_to(columns.elements.max(axis=0), shape)
        every = Columns(store, CELL, elements, columns.places)
        return _captured(every, node, 0)
    return (_captured(columns, node, columns.kind), *state[:-1])


def _captured(columns: Columns, node: Node, shift: int) -> Array:
    """What a step leaves in the elements that will be wanted `shift` steps later."""
    lanes, elements, arrangement = columns.requests(node, shift)
    parts = resolve(
        columns.store, node, _around(arrangement, node), lanes, elements, np.arange(len(lanes))
    )
    rows = assemble_columns(node, parts, _around(arrangement, node), len(lanes))
    return _filled_out(rows, node, columns.store)


def _written_into(
    store: Store, state: Array, node: Node, arrived: dict[Store, int], steps: np.ndarray
) -> Array:
    """The whole variable after what a step has written."""
    log = log_of(node, store)
    lanes, elements = log.written_by_lane(arrived.get(store, 0))
    total = int(steps.max()) + 1
    order = np.lexsort((elements, lanes, steps[lanes]))
    lanes, elements = lanes[order], elements[order]
    counts = np.bincount(steps[lanes], minlength=total)
    number = np.arange(len(lanes)) - (np.cumsum(counts) - counts)[steps[lanes]]
    arrangement = np.full((total, counts.max()), -1)
    arrangement[steps[lanes], number] = np.arange(len(lanes))
    target = np.full(arrangement.shape, len(state))
    target[steps[lanes], number] = node.column_of_lane()[lanes] * store.size + elements
    around = _around(arrangement, node)
    parts = resolve(store, node, around, lanes, elements, np.arange(len(lanes)))
    rows = _filled_out(assemble_columns(node, parts, around, len(lanes)), node, store)
    return state.at[node.slice_steps(_around(target, node))].set(rows, mode="drop")
