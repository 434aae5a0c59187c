"""What is left of a type behind indices."""

from __future__ import annotations

from trustvi.stan import _ast as ast
from trustvi.stan import _types as t
from trustvi.stan._check._errors import fail


def indexed_type(base: t.Type, indices: tuple[ast.Index, ...], span: ast.Span) -> t.Type:
    """The type of `base[indices]`: a single index takes a dimension away, others keep it."""
    if isinstance(base, t.Int | t.Real):
        fail(f"{_a(base)} has no elements to index", span)
    found = _after(base, tuple(map(is_single, indices)))
    if found is None:
        rank = t.event_rank(base)
        fail(f"too many indices: {_a(base)} takes {rank}, but here are {len(indices)}", span)
    return found


def _a(type: t.Type) -> str:
    if isinstance(type, t.Function):
        return "a function"
    return f"an {type}" if str(type)[0] in "aeiou" else f"a {type}"


def is_single(index: ast.Index) -> bool:
    """Whether the index takes its dimension away: one int, not several."""
    return isinstance(index, ast.SingleIndex) and index.value.type == t.INT


def _after(base: t.Type, singles: tuple[bool, ...]) -> t.Type | None:
    """The type behind the indices, of which `singles` tells the ones that are a single int."""
    match base, singles:
        case _, ():
            return base
        case t.Array(), (single, *_):
            element = _after(base.element, singles[1:])
            return element if single or element is None else t.Array(element)
        case t.Vector() | t.RowVector(), (single,):
            return _scalar(base.complex) if single else base
        case t.Matrix(), (row,):
            return _of_matrix(base.complex, row, False)
        case t.Matrix(), (row, column):
            return _of_matrix(base.complex, row, column)
        case _:
            return None


def _scalar(is_complex: bool) -> t.Type:
    return t.COMPLEX if is_complex else t.REAL


def _of_matrix(is_complex: bool, row: bool, column: bool) -> t.Type:
    if row and column:
        return _scalar(is_complex)
    if row:
        return t.RowVector(is_complex)
    return t.Vector(is_complex) if column else t.Matrix(is_complex)
