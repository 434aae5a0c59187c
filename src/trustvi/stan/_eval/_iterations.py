"""What a `for` loop goes through: integers from one bound to the other, or a container."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from trustvi.stan import _ast as ast
from trustvi.stan import _types as t
from trustvi.stan._eval._dispatch import evaluate
from trustvi.stan._eval._frame import Frame
from trustvi.stan._eval._indexing import Pick, known_ints, pick_all
from trustvi.stan._eval._lanes import Node
from trustvi.stan._values import Array, Value, element_type, map_data


@dataclass(frozen=True, slots=True)
class Iterations:
    """`trips` are the numbers of iterations by lane of `node`; `value` gives the loop variable.

    It is called with a lane set below `node` and, for each of its lanes, which iteration it is.
    """

    name: str
    node: Node
    trips: np.ndarray
    value: Callable[[Node, np.ndarray], Value]

    def bind(self, frame: Frame, steps: np.ndarray) -> None:
        """Declare the loop variable for lanes that stand for these iterations."""
        frame.bind(self.name, self.value(frame.node, steps))


def iterations_of(statement: ast.For | ast.ForEach, frame: Frame) -> Iterations:
    if isinstance(statement, ast.For):
        return _range(statement, frame)
    return _elements(statement, frame)


def _range(statement: ast.For, frame: Frame) -> Iterations:
    node = frame.node
    lower, upper = (
        np.broadcast_to(known_ints(evaluate(end, frame).array, frame)[:, 0], (node.count,))
        for end in (statement.lower, statement.upper)
    )

    def value(there: Node, steps: np.ndarray) -> Value:
        first = lower[there.lanes_in(node, there.all_lanes())]
        return Value(t.INT, (first + steps)[:, None])

    return Iterations(statement.name, node, np.maximum(0, upper - lower + 1), value)


def _elements(statement: ast.ForEach, frame: Frame) -> Iterations:
    node = frame.node
    container = evaluate(statement.container, frame)
    kind, data = container.type, container.data
    if isinstance(kind, t.Matrix):
        data = _by_column(data)
        kind = t.Vector(kind.complex)
    size = _first_leaf(data).shape[1]

    def value(there: Node, steps: np.ndarray) -> Value:
        pick = (Pick(steps[:, None, None], single=True),)
        picked = map_data(
            lambda array: pick_all(there.from_ancestor(array, node), pick, there), data
        )
        return Value(element_type(kind), picked)

    return Iterations(statement.name, node, np.full(node.count, size), value)


def _first_leaf(data: Any) -> Array:
    while isinstance(data, tuple):
        data = data[0]
    return data


def _by_column(matrix: Array) -> Array:
    """A matrix's elements, column after column."""
    lanes, rows, columns, draws = matrix.shape
    return matrix.swapaxes(1, 2).reshape(lanes, rows * columns, draws)
