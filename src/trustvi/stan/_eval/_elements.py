"""Expressions over slices whose sizes differ between lanes, rewritten for one element of them.

`exp(x[a[n] : b[n]]) - mu[n]` is `exp(x[i]) - mu[n]` for each i of the slice. Element by element
go functions and operators that Stan defines so, products of rows with a vector, and slices
themselves: ranges, `segment`, `head`, `tail`, and indices that are slices of arrays.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from trustvi.stan import _ast as ast
from trustvi.stan import _types as t
from trustvi.stan._eval._dispatch import evaluate
from trustvi.stan._eval._expressions import path_of, stores_of
from trustvi.stan._eval._facts import walk
from trustvi.stan._eval._frame import Frame, Scope
from trustvi.stan._eval._lanes import Node
from trustvi.stan._eval._library import plain_name
from trustvi.stan._eval._store import Store
from trustvi.stan._overloads import Given, Match, resolve_library
from trustvi.stan._values import Value, element_type, same_everywhere
from trustvi.stan.library._namespace import is_traced
from trustvi.stan.library._table import Convention, lookup

_SLICES = frozenset({"segment", "head", "tail"})
_REPEATED = frozenset({"rep_vector", "rep_row_vector", "rep_array"})
_SAME_ELEMENTS = frozenset({"to_vector", "to_row_vector", "to_array_1d"})
_ELEMENTWISE = frozenset(
    {ast.Op.ADD, ast.Op.SUB, ast.Op.ELT_MUL, ast.Op.ELT_DIV, ast.Op.ELT_POW, ast.Op.POW}
)
_SIMPLE = (ast.Variable, ast.IntLiteral, ast.RealLiteral, ast.Indexed, ast.TupleItem)


class NotElementwiseError(Exception):
    """An expression isn't computed element by element, or isn't over slices that differ."""


def is_sliced(expr: ast.Expr) -> bool:
    """Whether there are slices in the text of an expression."""
    return any(
        isinstance(node, ast.RangeIndex)
        or (isinstance(node, ast.Call) and node.name in _SLICES | _REPEATED)
        for node in walk(expr)
    )


def _is_scalar(expr: ast.Expr) -> bool:
    return isinstance(expr.type, t.Int | t.Real | t.Complex)


def bare(expr: ast.Expr) -> ast.Expr:
    while isinstance(expr, ast.Paren):
        expr = expr.inner
    return expr


class Elements:
    """Rewrites expressions in the lanes of a frame; all of their slices must agree in size.

    What is the same for all elements of a slice is evaluated here, in `frame`.
    """

    def __init__(self, frame: Frame) -> None:
        self.frame = dataclasses.replace(frame, scope=Scope(frame.scope))
        self.counts: np.ndarray | None = None
        self._places: list[tuple[str, np.ndarray, int]] = []
        self._kept = 0

    # ------------------------------------------------------------------ expressions

    def element(self, expr: ast.Expr, turned: bool = False) -> ast.Expr:
        """The expression for one element; `turned` counts the elements from the last."""
        expr = bare(expr)
        match expr:
            case ast.Unary(op=ast.Op.NEG | ast.Op.POS):
                operand = self.element(expr.operand, turned)
                return dataclasses.replace(expr, operand=operand, type=_element(expr))
            case ast.Unary(op=ast.Op.TRANSPOSE) if not isinstance(expr.type, t.Matrix):
                return self.element(expr.operand, turned)
            case ast.Binary():
                return self._binary(expr, turned)
            case ast.Indexed():
                return self._indexed(expr, turned)
            case ast.Call():
                return self._call(expr, turned)
        raise NotElementwiseError

    def element_or_kept(self, expr: ast.Expr, turned: bool = False) -> ast.Expr:
        """An argument that is sliced, or a scalar."""
        return self.kept(expr) if _is_scalar(expr) else self.element(expr, turned)

    def kept(self, expr: ast.Expr) -> ast.Expr:
        """What is the same for all elements."""
        expr = bare(expr)
        if isinstance(expr, _SIMPLE):
            return expr
        self._kept += 1
        name = f"kept {self._kept}"
        self.frame.bind(name, evaluate(expr, self.frame))
        return ast.Variable(span=expr.span, type=expr.type, data_only=expr.data_only, name=name)

    def _binary(self, expr: ast.Binary, turned: bool) -> ast.Expr:
        left, right = expr.left, expr.right
        rows = expr.op is ast.Op.MUL and isinstance(left.type, t.Matrix) and not is_sliced(right)
        scaled = expr.op is ast.Op.MUL and (_is_scalar(left) or _is_scalar(right))
        divided = expr.op is ast.Op.DIV and _is_scalar(right)
        if rows and not _is_scalar(right):
            left, right = self.element(left, turned), self.kept(right)
        elif scaled or divided or expr.op in _ELEMENTWISE:
            left = self.element_or_kept(left, turned)
            right = self.element_or_kept(right, turned)
        else:
            raise NotElementwiseError
        return dataclasses.replace(expr, left=left, right=right, type=_element(expr))

    def _call(self, expr: ast.Call, turned: bool) -> ast.Expr:
        first, *others = expr.args or (expr,)
        if expr.user_defined:
            raise NotElementwiseError
        if expr.name in _SLICES:
            return self._slice_call(expr, turned)
        if expr.name in _REPEATED and len(others) == 1:
            self._agree(self._integers(others[0]))
            return self.kept(first)
        if expr.name in _SAME_ELEMENTS and not isinstance(first.type, t.Matrix):
            return self.element(first, turned)
        if expr.name == "reverse":
            return self.element(first, not turned)
        rows = lookup(expr.name)
        if not rows or any(row.convention is not Convention.ELEMENTWISE for row in rows):
            raise NotElementwiseError
        args = [self.element_or_kept(arg, turned) for arg in expr.args]
        return self.applied(expr, args)

    def applied(self, expr: ast.Call, args: list[ast.Expr]) -> ast.Call:
        """A call of the library with other arguments."""
        given = []
        for arg in args:
            assert arg.type is not None
            given.append(Given(arg.type, arg.data_only))
        found = resolve_library(plain_name(expr.name)[0], tuple(given))
        if not isinstance(found, Match):
            raise NotElementwiseError
        return dataclasses.replace(
            expr, args=tuple(args), callee=found.signature, type=found.signature.result
        )

    # ------------------------------------------------------------------ slices

    def _indexed(self, expr: ast.Indexed, turned: bool) -> ast.Expr:
        if is_sliced(expr.base):
            raise NotElementwiseError
        indices = list(expr.indices)
        axis = next((i for i, each in enumerate(indices) if not _is_single(each)), None)
        index = None if axis is None else indices[axis]
        if isinstance(index, ast.SingleIndex):
            value = self.element(index.value, turned)
        elif isinstance(index, ast.RangeIndex):
            value = self._range(expr, index, turned)
        else:
            raise NotElementwiseError
        assert axis is not None
        indices[axis] = ast.SingleIndex(span=expr.span, value=value)
        return dataclasses.replace(expr, indices=tuple(indices), type=_element(expr))

    def _range(self, expr: ast.Indexed, index: ast.RangeIndex, turned: bool) -> ast.Variable:
        size = self._size(expr, next(i for i, e in enumerate(expr.indices) if e is index))
        lower = np.ones((1, 1), np.int64) if index.lower is None else self._integers(index.lower)
        upper = np.full((1, 1), size) if index.upper is None else self._integers(index.upper)
        return self._place(expr, lower, np.maximum(0, upper - lower + 1), size, turned)

    def _slice_call(self, expr: ast.Call, turned: bool) -> ast.Expr:
        base = bare(expr.args[0])
        if not isinstance(base, ast.Variable | ast.Indexed) or is_sliced(base):
            raise NotElementwiseError
        size = self._size(base, len(base.indices) if isinstance(base, ast.Indexed) else 0)
        numbers = [self._integers(arg) for arg in expr.args[1:]]
        lower = {"segment": numbers[0], "head": np.ones((1, 1), np.int64)}
        first = lower.get(expr.name, size - numbers[-1] + 1)
        value = self._place(expr, first, numbers[-1], size, turned)
        index = ast.SingleIndex(span=expr.span, value=value)
        return ast.Indexed(
            span=expr.span,
            type=_element(expr),
            data_only=expr.data_only,
            base=base,
            indices=(index,),
        )

    def _size(self, expr: ast.Expr, axis: int) -> int:
        """The size of an axis of a variable, the last step of whose indices is being rewritten."""
        base, steps = path_of(expr)
        if not isinstance(base, ast.Variable) or len(steps) > 1:
            raise NotElementwiseError
        store: Any = stores_of(expr, self.frame)
        before = len(steps[0]) - len(expr.indices) if isinstance(expr, ast.Indexed) else 0
        if not isinstance(store, Store) or before + axis >= len(store.event):
            raise NotElementwiseError
        return store.event[before + axis]

    def _integers(self, expr: ast.Expr) -> np.ndarray:
        array = evaluate(expr, self.frame).array
        if is_traced(array):
            raise NotElementwiseError
        return array

    def _place(
        self, expr: ast.Expr, first: np.ndarray, counts: np.ndarray, size: int, turned: bool
    ) -> ast.Variable:
        """The integer variable that runs through a slice."""
        counts = self._agree(counts)
        first = np.broadcast_to(first[:, 0], counts.shape)
        last = first + counts - 1
        if ((counts < 0) | ((counts > 0) & ((first < 1) | (last > size)))).any():
            raise NotElementwiseError
        name = f"place {len(self._places)}"
        self._places.append((name, last if turned else first, -1 if turned else 1))
        return ast.Variable(span=expr.span, type=t.INT, data_only=True, name=name)

    def _agree(self, counts: np.ndarray) -> np.ndarray:
        counts = np.broadcast_to(counts[:, 0], (self.frame.node.count,))
        if self.counts is not None and not np.array_equal(self.counts, counts):
            raise NotElementwiseError
        self.counts = counts
        return counts

    # ------------------------------------------------------------------ lanes

    @property
    def differ(self) -> bool:
        """Whether the sizes differ between lanes at all."""
        return self.counts is not None and not same_everywhere(self.counts[:, None])

    def inside(self, node: Node) -> Frame:
        """The frame for the elements; `node` has one lane for each."""
        assert self.counts is not None
        starts = np.cumsum(self.counts) - self.counts
        number = node.all_lanes() - np.repeat(starts, self.counts)
        inner = dataclasses.replace(self.frame, node=node, scope=Scope(self.frame.scope))
        for name, first, step in self._places:
            places = np.repeat(first, self.counts) + step * number
            inner.bind(name, Value(t.INT, places[:, None]))
        return inner


def _is_single(index: ast.Index) -> bool:
    return isinstance(index, ast.SingleIndex) and index.value.type == t.INT


def _element(expr: ast.Expr) -> t.Type:
    assert expr.type is not None
    return element_type(expr.type)
