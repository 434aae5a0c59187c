"""Assignments: what may be assigned to, and whether the value fits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from trustvi.stan import _ast as ast
from trustvi.stan import _types as t
from trustvi.stan._ast import Op
from trustvi.stan._check._calls import described, described_type
from trustvi.stan._check._errors import fail
from trustvi.stan._check._expressions import (
    check_expression,
    check_indices,
    item_type,
    type_of,
)
from trustvi.stan._check._indexing import indexed_type, is_single
from trustvi.stan._check._names import function_named, refuse_unknown
from trustvi.stan._check._scope import Scope, Section
from trustvi.stan._check._walk import children
from trustvi.stan._overloads import Given, Match, promotion_cost, resolve_operator


def check_assignment(scope: Scope, stmt: ast.Assign) -> ast.Stmt:
    """`target = value`, or `target += value` and its kin."""
    target = _check_target(scope, stmt.target)
    if isinstance(target, ast.TupleLiteral):
        _verify_distinct(target)
    _verify_not_read(target)
    value = check_expression(scope, stmt.value)
    if stmt.op is None:
        _verify_fits(target, type_of(value), stmt.span)
    else:
        _verify_combines(target, stmt.op, value)
    return replace(stmt, target=target, value=value)


# --------------------------------------------------------------------------- targets


def _check_target(scope: Scope, target: ast.Expr) -> ast.Expr:
    match target:
        case ast.Variable():
            return _check_variable(scope, target)
        case ast.Indexed():
            base = _check_target(scope, target.base)
            indices = check_indices(scope, target.indices)
            _verify_single_behind(base, target.span)
            type = indexed_type(type_of(base), indices, target.span)
            return replace(target, base=base, indices=indices, type=type, data_only=base.data_only)
        case ast.TupleItem():
            base = _check_target(scope, target.base)
            type = item_type(base, target)
            return replace(target, base=base, type=type, data_only=base.data_only)
        case ast.TupleLiteral():
            elements = tuple(_check_target(scope, element) for element in target.elements)
            type = t.Tuple(tuple(map(type_of, elements)))
            data_only = all(element.data_only for element in elements)
            return replace(target, elements=elements, type=type, data_only=data_only)
        case _:
            return fail("this can't be assigned to", target.span)


def _verify_single_behind(base: ast.Expr, span: ast.Span) -> None:
    """Only single indices stand in brackets before other brackets: `x[1][2:3]`, not `x[1:2][1]`."""
    if isinstance(base, ast.Indexed) and not all(map(is_single, base.indices)):
        fail("behind several elements at once, no further index can be assigned to", span)


def _check_variable(scope: Scope, target: ast.Variable) -> ast.Expr:
    name, binding = target.name, scope.variables.get(target.name)
    if binding is None:
        return _refuse_function(scope, target)
    if binding.fixed:
        message = f'"{name}" is an argument or a loop variable and can\'t be assigned to'
        fail(message, target.span, "declare a variable for the changed value")
    if binding.section != scope.section:
        place = f"the {binding.section.value} block"
        fail(f'"{name}" is declared in {place} and can be assigned to only there', target.span)
    return check_expression(scope, target)


def _refuse_function(scope: Scope, target: ast.Variable) -> ast.Expr:
    """In the functions block, a function fails to be a target only once the value is known."""
    if function_named(scope, target.name) is None:
        refuse_unknown(scope, target)
    if scope.section != Section.FUNCTIONS or target.name not in scope.functions:
        fail(f'"{target.name}" is a function and can\'t be assigned to', target.span)
    return check_expression(scope, target)


Path = tuple[str | int, ...]


def _verify_distinct(target: ast.TupleLiteral) -> None:
    """Nothing is assigned to twice: neither the same variable nor a part of it."""
    paths = _paths(target)
    for i, path in enumerate(paths):
        for other in paths[i + 1 :]:
            shorter = min(len(path), len(other))
            if path[:shorter] == other[:shorter]:
                name = ".".join(map(str, path[:shorter]))
                fail(f'"{name}" is assigned to more than once', target.span)


def _paths(target: ast.Expr) -> list[Path]:
    """The variable and the items of tuples that each part of `target` stands for.

    Which elements indices mean isn't known, so that `x[1]` and `x[2]` are the same.
    """
    match target:
        case ast.Variable():
            return [(target.name,)]
        case ast.TupleItem():
            return [(*_paths(target.base)[0], target.item)]
        case ast.Indexed():
            return _paths(target.base)
        case ast.TupleLiteral():
            return [path for element in target.elements for path in _paths(element)]
        case _:
            return []


def _verify_not_read(target: ast.Expr) -> None:
    """No index of the target reads a variable that is assigned to: `x[x[1]] = 2` is refused.

    As in Stan, what stands in the brackets of an index isn't looked at: `x[y[x[1]]]` passes.
    """
    assigned = [path[0] for path in _paths(target)]
    read = {name for index in _indices_of(target) for name in _read_in(index)}
    both = [f'"{name}"' for name in dict.fromkeys(assigned) if name in read]
    if both:
        message = f"{' and '.join(both)} can't be assigned to and read in the same target"
        fail(message, target.span, "compute the index before, in a variable of its own")


def _indices_of(target: ast.Expr) -> Iterator[ast.Index]:
    """All indices that tell which elements of the target are meant."""
    match target:
        case ast.Indexed():
            yield from target.indices
            yield from _indices_of(target.base)
        case ast.TupleItem():
            yield from _indices_of(target.base)
        case ast.TupleLiteral():
            for element in target.elements:
                yield from _indices_of(element)


def _read_in(node: object) -> Iterator[str]:
    """The names of the variables in an expression, but for those inside of its brackets."""
    if isinstance(node, ast.Variable):
        yield node.name
    below = (node.base,) if isinstance(node, ast.Indexed) else children(node)
    for each in below:
        yield from _read_in(each)


# --------------------------------------------------------------------------- values


def _verify_fits(target: ast.Expr, value: t.Type, span: ast.Span) -> None:
    if isinstance(target, ast.TupleLiteral):
        _verify_items_fit(target, value, span)
    elif _holds_functions(value):
        fail(f"a function can't be assigned, but the value is {described_type(value)}", span)
    elif isinstance(target.type, t.Function):
        fail("a function can't be assigned to", target.span)
    elif promotion_cost(value, type_of(target)) is None:
        message = f"the left side is {target.type}, but the value is {value}"
        fail(message, target.span)


def _verify_items_fit(target: ast.TupleLiteral, value: t.Type, span: ast.Span) -> None:
    """The value is a tuple of as many items, and each fits its target."""
    if not isinstance(value, t.Tuple) or len(value.elements) != len(target.elements):
        found = described_type(value)
        message = f"the left side is {target.type}, but the value is {found}"
        fail(message, target.span)
    for element, item in zip(target.elements, value.elements, strict=True):
        _verify_fits(element, item, span)


def _holds_functions(type: t.Type) -> bool:
    inner, _ = t.unwind(type)
    if isinstance(inner, t.Tuple):
        return any(map(_holds_functions, inner.elements))
    return isinstance(inner, t.Function)


_REAL_SCALARS = frozenset({t.INT, t.REAL})


def _verify_combines(target: ast.Expr, op: Op, value: ast.Expr) -> None:
    """`target op value` has a type that can be assigned back to the target."""
    type = type_of(target)
    found = resolve_operator(op, (Given(type), Given(type_of(value))))
    elementwise_scalar = op in (Op.ELT_MUL, Op.ELT_DIV) and type in _REAL_SCALARS
    fits = isinstance(found, Match) and promotion_cost(found.signature.result, type) is not None
    if not fits or elementwise_scalar or _divides_by_matrix(op, value):
        symbol = f"{op.value}="
        fail(f'"{symbol}" can\'t be applied to {type} and {described(value)}', target.span)


def _divides_by_matrix(op: Op, value: ast.Expr) -> bool:
    return op is Op.DIV and isinstance(value.type, t.Matrix)
