"""What a scan's body takes in from outside, step by step.

The body is run twice. The first time (`recording`) it is only asked what it takes in: known
arrays that differ between steps, and elements of variables from outside. These are then stacked
along the steps, and the second time the body finds its own step's entries of them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from trustvi.stan._eval._assemble import Part, distinct
from trustvi.stan._eval._lanes import Node, equal
from trustvi.stan._eval._memory import resolve
from trustvi.stan._eval._rows import concatenate, take
from trustvi.stan._eval._signals import NotScannableError
from trustvi.stan._eval._store import Store
from trustvi.stan._values import Array
from trustvi.stan.library._namespace import is_traced


@dataclass(frozen=True, slots=True)
class Input:
    """Something taken in: `make` is called outside the scan; `stacked` tells whether the result
    has an axis of steps, or is the same in all."""

    make: Callable[[], Array]
    stacked: bool


@dataclass(frozen=True, slots=True)
class Wanted:
    """Elements of a carried variable that steps want: element (or -1) by step and column.

    `places` tells of which column of the scan's lane set each is.
    """

    store: Store
    elements: np.ndarray
    places: np.ndarray


class ScanContext:
    """One run through the body of a scan, of `count` steps."""

    def __init__(
        self,
        count: int,
        parent: ScanContext | None,
        carried: set[Hashable],
        draws: int,
        step_of_lane: np.ndarray,
        here: dict[Hashable, Array] | None = None,
    ) -> None:
        self.count, self.parent, self.carried, self.draws = count, parent, carried, draws
        self.step_of_lane = step_of_lane
        self.recording = here is None
        self.inputs: dict[Hashable, Input] = {}
        self.wanted: list[Wanted] = []
        self.reads: list[tuple[Store, np.ndarray, np.ndarray]] = []
        self.here: dict[Hashable, Array] = {} if here is None else here
        self._kept: list[Any] = []
        self.number = self._take_in("number", lambda: np.arange(count), (), np.dtype(np.int64))
        """The number of the current step."""

    @property
    def steps(self) -> tuple[int, ...]:
        outer = () if self.parent is None else self.parent.steps
        return (*outer, self.count)

    def from_outside(self) -> Iterator[ScanContext]:
        if self.parent is not None:
            yield from self.parent.from_outside()
        yield self

    def step_numbers(self) -> Iterator[Array]:
        """The number of the current step of each scan around."""
        for scan in self.from_outside():
            yield scan.number

    # ------------------------------------------------------------------ known arrays

    def slice(self, full: Array) -> Array:
        """This step's entry of an array whose first axis is the steps."""
        if is_traced(full):
            self._kept.append(full)  # as long as it lives, its identity is its own
            key: Hashable = ("traced", id(full))
        elif equal(full, full[:1]):
            return full[0]
        else:
            key = ("known", _digest(full))
        if self.recording or key in self.here:
            return self._take_in(key, lambda: full, full.shape[1:], full.dtype)
        return jax.lax.dynamic_index_in_dim(jnp.asarray(full), self.number, keepdims=False)

    def _take_in(
        self,
        key: Hashable,
        make: Callable[[], Array],
        shape: tuple[int, ...],
        dtype: np.dtype[Any],
        stacked: bool = True,
    ) -> Array:
        if not self.recording:
            if key not in self.here:
                raise NotScannableError
            return self.here[key]
        self.inputs.setdefault(key, Input(make, stacked))
        if key not in self.here:
            with jax.ensure_compile_time_eval():
                self.here[key] = jnp.zeros(shape, dtype)
        return self.here[key]

    def take_in_rows(self, what: str, values: Array, rows: np.ndarray) -> Array:
        """This step's rows of an array from outside, `rows` by step and column."""

        def make() -> Array:
            return take(values, rows.ravel()).reshape(*rows.shape, *values.shape[1:])

        shape = (*rows.shape[1:], *values.shape[1:])
        return self._take_in((what, id(values)), make, shape, values.dtype)

    # ------------------------------------------------------------------ variables from outside

    def outside(
        self,
        store: Store,
        node: Node,
        arrangement: np.ndarray,
        lanes: np.ndarray,
        elements: np.ndarray,
        places: np.ndarray,
    ) -> list[Part]:
        """Elements that lanes of the scan want, and have not written themselves in this step."""
        if store.identity in self.carried:
            return self._from_earlier_steps(store, node, arrangement, lanes, elements, places)
        self.reads.append((store, lanes, elements))
        assert node.parent is not None
        parts = resolve(store, node.parent, arrangement, lanes, elements, places)
        if not is_traced(*(part.values for part in parts)):
            return parts
        return [self._imported(store, node, arrangement, lanes, elements, places, parts)]

    def _imported(
        self,
        store: Store,
        node: Node,
        arrangement: np.ndarray,
        lanes: np.ndarray,
        elements: np.ndarray,
        places: np.ndarray,
        parts: list[Part],
    ) -> Part:
        size = int(arrangement.max()) + 1
        arrays, index = distinct(parts, size)
        outer = arrangement.shape[: len(self.steps) - 1]
        if outer and not all(map(is_traced, arrays)):
            raise NotScannableError
        rows = index[arrangement].reshape(*outer, self.count, -1)
        if outer:
            flat = rows.reshape(-1, *rows.shape[len(outer) :])
            if not (flat == flat[:1]).all():
                raise NotScannableError
            rows = flat[0]
        stacked = not (rows == rows[:1]).all()
        around = node.parent
        assert around is not None

        def make() -> Array:
            found = resolve(store, around, arrangement, lanes, elements, places)
            values = concatenate(distinct(found, size)[0])
            if not stacked:
                return take(values, rows[0])
            return take(values, rows.ravel()).reshape(*rows.shape, *values.shape[1:])

        draws = max(array.shape[-1] for array in arrays)
        shape = (rows.shape[-1], *arrays[0].shape[1:-1], draws)
        key = ("import", id(store), *map(_digest, (arrangement, lanes, elements, places)))
        dtype = np.result_type(*(array.dtype for array in arrays))
        values = self._take_in(key, make, shape, dtype, stacked)
        return Part(values, _columns(arrangement, self.steps, size)[places], places)

    def _from_earlier_steps(
        self,
        store: Store,
        node: Node,
        arrangement: np.ndarray,
        lanes: np.ndarray,
        elements: np.ndarray,
        places: np.ndarray,
    ) -> list[Part]:
        """In recording, note what is wanted; afterwards it is there before a step begins."""
        if not self.recording:
            raise NotScannableError
        size = int(arrangement.max()) + 1
        element, column, step = (np.full(size, -1) for _ in range(3))
        element[places] = elements
        column[places] = node.column_of_lane()[lanes]
        step[places] = self.step_of_lane[lanes]
        there = step[arrangement] == np.arange(self.count)[:, None]
        wanted = np.where(there, element[arrangement], -1)
        self.wanted.append(Wanted(store, wanted, np.where(there, column[arrangement], -1)))
        shape = (arrangement.shape[-1], *store.block, self.draws)
        with jax.ensure_compile_time_eval():
            values = jnp.zeros(shape, store.dtype)
        where = np.zeros(size, np.int64)
        where[arrangement] = np.arange(arrangement.shape[-1])
        return [Part(values, where[places], places)]

    # ------------------------------------------------------------------ running

    def gather(self) -> tuple[dict[Hashable, Array], dict[Hashable, Array]]:
        """What was taken in, made: what is stacked along the steps, and what is the same in all."""
        made = {key: jnp.asarray(each.make()) for key, each in self.inputs.items()}
        stacked = {key: made[key] for key, each in self.inputs.items() if each.stacked}
        return stacked, {key: each for key, each in made.items() if key not in stacked}


def _columns(arrangement: np.ndarray, steps: tuple[int, ...], size: int) -> np.ndarray:
    """For each place the column in which it stands, among those of one step."""
    width = int(np.prod(arrangement.shape[len(steps) :], dtype=np.int64))
    column = np.zeros(size, np.int64)
    column[arrangement.reshape(*steps, width)] = np.arange(width)
    return column


def _digest(array: np.ndarray) -> Hashable:
    """What tells arrays of different content apart."""
    content = hashlib.blake2b(np.ascontiguousarray(array).data, digest_size=16).digest()
    return (array.shape, array.dtype.str, content)
