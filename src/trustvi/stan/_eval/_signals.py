"""What the evaluator raises to itself when a way of running something turns out not to do."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from trustvi.stan._ast import Span
    from trustvi.stan._eval._lanes import Node
    from trustvi.stan._eval._store import Store


class Signal(Exception):
    """Base of the signals; none may reach the user."""


class CarriedError(Signal):
    """In `node`, a lane needs what an earlier lane of the loop writes.

    `first` is the position in the loop's body of the earliest statement that read too early,
    `known` whether all values concerned are known now.
    """

    def __init__(self, node: Node, store: Store, first: int, known: bool) -> None:
        super().__init__(f"carried dependence on {store.identity}")
        self.node, self.store, self.first, self.known = node, store, first, known


class CarriedInScanError(Signal):
    """A step of a scan needs what earlier steps write to `store`."""

    def __init__(self, store: Store) -> None:
        super().__init__(f"carried in a scan: {store.identity}")
        self.store = store


class ShortenError(Signal):
    """Iterations after a known `break` or `return` were run: the trips of each lane are fewer."""

    def __init__(self, node: Node, trips: np.ndarray) -> None:
        super().__init__("loop left early")
        self.node, self.trips = node, trips


class LeavingError(Signal):
    """In some draws a lane leaves the loop `node`, so that those after it must not count."""

    def __init__(self, node: Node) -> None:
        super().__init__("loop left by some draws")
        self.node = node


class RaggedError(Signal):
    """Shapes (or what decides on them) differ between lanes: `key[lane]` tells them apart.

    Where it is the results of a function that differ, `activation` is the run of that function:
    the lanes must be taken apart outside it.
    """

    def __init__(self, node: Node, key: np.ndarray, activation: object = None) -> None:
        super().__init__("shapes differ between lanes")
        self.node, self.key, self.activation = node, key, activation


class NotScannableError(Signal):
    """The steps of a loop are too different from each other for one traced body."""


class SequentialError(Signal):
    """A loop can't be run as lanes for another reason than a carried dependence."""


class UnknownError(Signal):
    """Something that decides about shapes or control flow depends on draws."""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what
        self.span: Span | None = None
