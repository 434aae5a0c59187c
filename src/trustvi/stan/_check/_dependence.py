"""Whether values depend on data alone, item by item for tuples."""

from __future__ import annotations

from trustvi.stan import _ast as ast
from trustvi.stan import _types as t
from trustvi.stan._check._scope import holds_reals

Dependence = bool | tuple["Dependence", ...]
"""True for data; for a tuple, one for each of its items where they differ."""


def depends_only_on_data(index: ast.Index) -> bool:
    """Whether an index that has been checked is data."""
    match index:
        case ast.SingleIndex():
            return index.value.data_only
        case ast.RangeIndex():
            return all(end is None or end.data_only for end in (index.lower, index.upper))
        case _:
            return True


def item_is_data(base: ast.Expr, item: int) -> bool:
    """Whether one item (from 1) of a tuple is data."""
    return _all(_item(_dependence(base), item))


def _dependence(expr: ast.Expr) -> Dependence:
    match expr:
        case ast.Variable() if expr.type is not None:
            return expr.data_only or _of_type(expr.type)
        case ast.TupleLiteral():
            return tuple(map(_dependence, expr.elements))
        case ast.Paren():
            return _dependence(expr.inner)
        case ast.TupleItem():
            return _item(_dependence(expr.base), expr.item)
        case ast.Indexed() if all(map(depends_only_on_data, expr.indices)):
            return _dependence(expr.base)
        case ast.ArrayLiteral():
            return _meet(tuple(map(_dependence, expr.elements)))
        case _:
            return expr.data_only


def _of_type(type: t.Type) -> Dependence:
    """Of a variable that may depend on parameters: its integers don't."""
    inner, _ = t.unwind(type)
    if isinstance(inner, t.Tuple):
        return tuple(map(_of_type, inner.elements))
    return not holds_reals(inner)


def _item(whole: Dependence, item: int) -> Dependence:
    return whole if isinstance(whole, bool) else whole[item - 1]


def _all(each: Dependence) -> bool:
    return each if isinstance(each, bool) else all(map(_all, each))


def _meet(several: tuple[Dependence, ...]) -> Dependence:
    """Data where all of `several` are."""
    width = max((len(each) for each in several if isinstance(each, tuple)), default=0)
    if not width:
        return all(map(_all, several))
    items = range(1, width + 1)
    return tuple(_meet(tuple(_item(each, item) for each in several)) for item in items)
