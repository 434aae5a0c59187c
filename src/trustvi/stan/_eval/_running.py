"""Sums over the elements up to the lane's, or from the lane's on, for all lanes as running sums.

`log_sum_exp(eta[1 : n])` for n = 1, 2, ..., as over the risk sets of survival models, has another
shape in each lane. One pass over `eta` gives them all.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from jax import lax

from trustvi.stan import _ast as ast
from trustvi.stan import _types as t
from trustvi.stan._eval._dispatch import evaluate
from trustvi.stan._eval._frame import Frame
from trustvi.stan._eval._rows import take
from trustvi.stan._eval._store import Store
from trustvi.stan._values import Array, Value, same_everywhere
from trustvi.stan.library._checks import require_index
from trustvi.stan.library._cumulative import cumulative_sum
from trustvi.stan.library._namespace import is_traced

_TRACED: dict[str, Callable[..., Array]] = {
    "sum": cumulative_sum,
    "log_sum_exp": lax.cumlogsumexp,
}
_KNOWN = {"sum": np.add, "log_sum_exp": np.logaddexp}


def running(expr: ast.Call, frame: Frame) -> Value | None:
    """The value of a call that is such a sum; None of any other."""
    if expr.name not in _TRACED or expr.type != t.REAL or len(expr.args) != 1:
        return None
    found = _range_of_variable(expr.args[0], frame)
    if found is None:
        return None
    name, index = found
    ends = [None if each is None else evaluate(each, frame).data
            for each in (index.lower, index.upper)]  # fmt: skip
    if is_traced(*(each for each in ends if each is not None)):
        return None
    base = evaluate(name, frame).data
    if base.shape[0] != 1 or base.dtype != float:
        return None
    place = _place(ends, base.shape[1])
    if place is None:
        return None
    places, reverse = place
    return Value(t.REAL, take(_running(expr.name, base, reverse)[0], places))


def _range_of_variable(arg: ast.Expr, frame: Frame) -> tuple[ast.Variable, ast.RangeIndex] | None:
    """The parts of `x[lower : upper]` where nothing here assigns to x, and lanes are columns."""
    if frame.node.count == 1 or frame.node.scan is not None:
        return None
    if not isinstance(arg, ast.Indexed) or not isinstance(arg.base, ast.Variable):
        return None
    if len(arg.indices) != 1 or not isinstance(arg.indices[0], ast.RangeIndex):
        return None
    variable = frame.scope.find(arg.base.name)
    if variable is None or not isinstance(variable.stores, Store):
        return None
    return (arg.base, arg.indices[0]) if frame.node.barrier(variable.stores) is None else None


def _place(ends: list[Array | None], size: int) -> tuple[np.ndarray, bool] | None:
    """Where in the running sums each lane's stands, and whether they run from the end."""
    lower, upper = ends
    first = np.ones((1, 1), np.int64) if lower is None else lower
    last = np.full((1, 1), size) if upper is None else upper
    if same_everywhere(first) == same_everywhere(last) or (last < first).any():
        return None
    for end in (first, last):
        require_index("array[min_max, ...] indexing", end, size)
    if same_everywhere(first) and first.flat[0] == 1:
        return last[:, 0] - 1, False
    if same_everywhere(last) and last.flat[0] == size:
        return first[:, 0] - 1, True
    return None


def _running(name: str, array: Array, reverse: bool) -> Array:
    if is_traced(array):
        return _TRACED[name](array, axis=1, reverse=reverse)
    turned = array[:, ::-1] if reverse else array
    sums = _KNOWN[name].accumulate(turned, axis=1)
    return sums[:, ::-1] if reverse else sums
