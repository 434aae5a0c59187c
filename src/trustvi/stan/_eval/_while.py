"""`while` loops."""

from __future__ import annotations

import dataclasses

import numpy as np

from trustvi.stan import _ast as ast
from trustvi.stan._eval._dispatch import evaluate, executes
from trustvi.stan._eval._frame import Frame, Left, Live, Scope
from trustvi.stan._eval._lanes import subset
from trustvi.stan._eval._live import behind_loop
from trustvi.stan._eval._merging import truth
from trustvi.stan._eval._statements import run
from trustvi.stan.library._namespace import is_traced


@executes(ast.While)
def _while(statement: ast.While, frame: Frame) -> Live:
    """As long as the condition is known, iteration after iteration for the lanes it holds in."""
    node = frame.node
    left = Left(node, False, frame.loop, np.zeros(node.count, bool))
    active = np.ones(node.count, bool)
    while True:
        there = frame.at(subset(node, np.flatnonzero(active)))
        there = dataclasses.replace(there, scope=Scope(frame.scope), loop=left)
        condition = truth(evaluate(statement.condition, there).data)
        if is_traced(condition) or left.draws is not None:
            raise frame.unknown("the condition of a while loop")
        active[active] = np.broadcast_to(condition[:, 0], (there.node.count,))
        active &= ~left.lanes
        lanes = np.flatnonzero(active)
        if not len(lanes):
            return behind_loop(left)
        run((statement.body,), dataclasses.replace(there, node=subset(node, lanes)))
        active &= ~left.lanes
        if not active.any():
            return behind_loop(left)
