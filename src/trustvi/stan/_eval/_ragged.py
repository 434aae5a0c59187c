"""Sums and densities over slices whose sizes differ between lanes: a lane for each element.

`sum(x[a[n] : b[n]])` has another shape in each lane n, but one loop over the elements of all
slices gives the sums of all. Anything else is run for the lanes of each size in turn.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from trustvi.stan import _ast as ast
from trustvi.stan import _types as t
from trustvi.stan._diagnostics import StanRuntimeError
from trustvi.stan._eval._assemble import Part, assemble
from trustvi.stan._eval._commit import commit_loop
from trustvi.stan._eval._dispatch import evaluate
from trustvi.stan._eval._elements import Elements, NotElementwiseError, is_sliced
from trustvi.stan._eval._facts import TARGET
from trustvi.stan._eval._frame import Frame
from trustvi.stan._eval._lanes import loop
from trustvi.stan._eval._library import call_row, plain_name
from trustvi.stan._eval._log import ADD, MULTIPLY
from trustvi.stan._eval._memory import accumulate, read
from trustvi.stan._eval._signals import NotScannableError, RaggedError
from trustvi.stan._eval._store import Store
from trustvi.stan._eval._undo import undoable
from trustvi.stan._values import Array, Value, dtype_of
from trustvi.stan.library._namespace import is_traced, namespace
from trustvi.stan.library._table import Convention, Row, lookup, overloads

_DENSITIES = ("_lpdf", "_lpmf", "_lupdf", "_lupmf", "_lcdf", "_lccdf")
_WASTE = 4
"""How many times the elements a padded array of the slices may be."""


def over_slices(expr: ast.Call, frame: Frame) -> Value | None:
    """The value of a sum, product, extreme or density of slices that differ; None of others."""
    rule = _RULES.get(expr.name, _density if expr.name.endswith(_DENSITIES) else None)
    if rule is None or frame.node.count == 1 or not _any_sliced(expr.args, frame):
        return None
    return _attempt(frame, lambda: rule(expr, Elements(frame), frame))


def sample_slices(
    statement: ast.Sample, frame: Frame, sample: Callable[[ast.Sample, Frame], None]
) -> bool:
    """Run `y[a[n] : b[n]] ~ ...` for each element; False if the slices don't differ."""
    terms = (statement.variate, *statement.args)
    call = statement.density
    if frame.node.count == 1 or statement.truncation is not None or not _any_sliced(terms, frame):
        return False
    if call is None or call.user_defined:
        return False
    done = _attempt(frame, lambda: _sampled(statement, call, Elements(frame), sample))
    return done is not None


def _any_sliced(exprs: Sequence[ast.Expr], frame: Frame) -> bool:
    return any(frame.machine.facts.once("sliced", each, is_sliced) for each in exprs)


def _attempt(frame: Frame, function: Callable[[], Any]) -> Any:
    """What the function gives; None, and nothing done, where it turns out not to do."""
    undo = undoable(frame)
    try:
        return function()
    except (NotElementwiseError, StanRuntimeError, NotScannableError, RaggedError):
        undo()
        return None


# --------------------------------------------------------------------------- densities


def _applied(call: ast.Call, exprs: Sequence[ast.Expr], elements: Elements) -> ast.Call:
    """The density of one element; parameters that go with no element are not arrays of several."""
    multivariate = any(row.convention is Convention.MULTIVARIATE for row in _rows(call.name))
    args = []
    for expr in exprs:
        if is_sliced(expr) and not _is_scalar(expr):
            args.append(elements.element(expr))
        elif _is_scalar(expr) or (multivariate and not isinstance(expr.type, t.Array)):
            args.append(elements.kept(expr))
        else:
            raise NotElementwiseError
    return elements.applied(call, args)


def _rows(name: str) -> Sequence[Row]:
    return lookup(plain_name(name)[0])


def _is_scalar(expr: ast.Expr) -> bool:
    return isinstance(expr.type, t.Int | t.Real)


def _sampled(
    statement: ast.Sample,
    call: ast.Call,
    elements: Elements,
    sample: Callable[[ast.Sample, Frame], None],
) -> bool:
    density = _applied(call, (statement.variate, *statement.args), elements)
    variate, *args = density.args
    each = dataclasses.replace(statement, variate=variate, args=tuple(args), density=density)
    inner = _elements_as_lanes(elements, TARGET)
    sample(each, inner)
    commit_loop(inner.node)
    return True


def _elements_as_lanes(elements: Elements, identity: Any) -> Frame:
    if not elements.differ:
        raise NotElementwiseError
    assert elements.counts is not None
    names = frozenset({identity})
    return elements.inside(loop(elements.frame.node, elements.counts, names, names))


def _density(expr: ast.Call, elements: Elements, frame: Frame) -> Value:
    return _accumulated(_applied(expr, expr.args, elements), elements, ADD)


# --------------------------------------------------------------------------- sums and products


def _accumulated(each: ast.Expr, elements: Elements, kind: str) -> Value:
    """The sum (or product) of an expression over the elements of each slice."""
    if not isinstance(each.type, t.Int | t.Real):
        raise NotElementwiseError
    node = elements.frame.node
    neutral = np.full((1, 1), 0 if kind == ADD else 1, dtype_of(each.type))
    total = Store(object(), node, (), neutral.dtype, 0, neutral)
    inner = _elements_as_lanes(elements, total.identity)
    accumulate(total, inner.node, evaluate(each, inner).array, kind)
    commit_loop(inner.node)
    return Value(each.type, read(total, node))


def _sum(expr: ast.Call, elements: Elements, frame: Frame) -> Value:
    return _accumulated(elements.element(expr.args[0]), elements, ADD)


def _prod(expr: ast.Call, elements: Elements, frame: Frame) -> Value:
    return _accumulated(elements.element(expr.args[0]), elements, MULTIPLY)


def _dot_product(expr: ast.Call, elements: Elements, frame: Frame) -> Value:
    if expr.type != t.REAL:
        raise NotElementwiseError
    left, right = elements.element(expr.args[0]), elements.element(expr.args[-1])
    product = ast.Binary(
        span=expr.span,
        type=t.REAL,
        data_only=expr.data_only,
        op=ast.Op.MUL,
        left=left,
        right=right,
    )
    return _accumulated(product, elements, ADD)


def _mean(expr: ast.Call, elements: Elements, frame: Frame) -> Value:
    total = _accumulated(elements.element(expr.args[0]), elements, ADD).array
    assert elements.counts is not None
    if not elements.counts.all():
        raise NotElementwiseError
    total, counts = frame.node.joint([total, elements.counts[:, None].astype(float)])
    return Value(t.REAL, total / counts)


# --------------------------------------------------------------------------- extremes


def _padded(fill: float) -> Callable[[ast.Call, Elements, Frame], Value]:
    """The function itself, of slices filled up to one size with what leaves its value alone."""
    int_fill = np.iinfo(np.int64).min if fill < 0 else np.iinfo(np.int64).max

    def rule(expr: ast.Call, elements: Elements, frame: Frame) -> Value:
        each = elements.element(expr.args[0])
        whole = {t.REAL: t.VECTOR, t.INT: t.Array(t.INT)}.get(expr.type or t.VOID)
        if whole is None or len(expr.args) != 1 or each.type != expr.type:
            raise NotElementwiseError
        inner = _elements_as_lanes(elements, object())
        neutral = fill if expr.type == t.REAL else int_fill
        array = _filled(evaluate(each, inner).array, elements, inner, neutral)
        assert each.type is not None
        callee = t.Function((t.Argument(whole),), each.type)
        row = overloads(expr.name)[callee]
        return call_row(row, callee, [Value(whole, array)], frame)

    return rule


def _filled(array: Array, elements: Elements, inner: Frame, fill: float) -> Array:
    """Rows of lanes as one vector for each lane around, axes (lanes|1, slots, draws)."""
    node, counts = elements.frame.node, elements.counts
    assert counts is not None
    slots = int(counts.max())
    if slots * len(counts) > _WASTE * counts.sum():
        raise NotElementwiseError
    if np.issubdtype(array.dtype, np.integer) and not counts.all():
        raise NotElementwiseError  # there is no extreme of no integers
    present = np.arange(slots) < counts[:, None]
    lanes = inner.node.column_of_lane() if is_traced(array) else inner.node.all_lanes()
    rows = np.zeros_like(lanes) if array.shape[0] == 1 else lanes
    padded = assemble(node, [Part(array, rows, np.flatnonzero(present))], slots)
    padded, mask = node.joint([padded, present[..., None]])
    return namespace(padded, mask).where(mask, padded, fill)


_RULES: dict[str, Callable[[ast.Call, Elements, Frame], Value]] = {
    "sum": _sum,
    "prod": _prod,
    "mean": _mean,
    "dot_product": _dot_product,
    "dot_self": _dot_product,
    "log_sum_exp": _padded(-np.inf),
    "max": _padded(-np.inf),
    "min": _padded(np.inf),
}
