"""The types of expressions: every rule takes a scope and a node and returns the node typed."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from trustvi.stan import _ast as ast
from trustvi.stan import _types as t
from trustvi.stan._check import _calls as calls
from trustvi.stan._check._dependence import depends_only_on_data, item_is_data
from trustvi.stan._check._errors import fail
from trustvi.stan._check._indexing import indexed_type
from trustvi.stan._check._names import function_named, refuse_unknown, verify_suffix
from trustvi.stan._check._scope import (
    DATA_SECTIONS,
    UNDIFFERENTIATED,
    Scope,
    holds_reals,
    normalized,
)
from trustvi.stan._overloads import (
    Given,
    Match,
    common_type,
    operator_overloads,
    resolve_operator,
)


def check_expression(scope: Scope, expr: ast.Expr) -> ast.Expr:
    """`expr` with its type, and the types of all its parts."""
    return _RULES[type(expr)](scope, expr)


def check_expressions(scope: Scope, exprs: tuple[ast.Expr, ...]) -> tuple[ast.Expr, ...]:
    return tuple(_RULES[type(expr)](scope, expr) for expr in exprs)


def type_of(expr: ast.Expr) -> t.Type:
    """The type of an expression that has been checked."""
    assert expr.type is not None
    return expr.type


# --------------------------------------------------------------------------- atoms


_LARGEST_INT = 2**31 - 1
"""Ints have 32 bits (Stan Reference Manual, "Integer literals")."""


def _int_literal(_: Scope, expr: ast.IntLiteral) -> ast.Expr:
    if expr.value > _LARGEST_INT:
        hint = "write it as a real, with a decimal point"
        fail(f"ints go up to {_LARGEST_INT}, and this one is larger", expr.span, hint)
    return replace(expr, type=t.INT)


def _real_literal(_: Scope, expr: ast.RealLiteral) -> ast.Expr:
    return replace(expr, type=t.REAL)


def _imaginary_literal(_: Scope, expr: ast.ImagLiteral) -> ast.Expr:
    return replace(expr, type=t.COMPLEX)


def _string_literal(_: Scope, expr: ast.StringLiteral) -> ast.Expr:
    return expr


def _variable(scope: Scope, expr: ast.Variable) -> ast.Expr:
    binding = scope.variables.get(expr.name)
    if binding is None:
        return _function_name(scope, expr)
    if scope.sizing and binding.section not in DATA_SECTIONS:
        fail(
            f'the size of a variable declared here must be known from data, but "{expr.name}" '
            f"is declared in the {binding.section.value} block",
            expr.span,
            "inside braces, and in the model block, sizes may depend on anything",
        )
    data_only = binding.data or scope.section in UNDIFFERENTIATED
    return replace(expr, type=binding.type, data_only=data_only)


def _function_name(scope: Scope, expr: ast.Variable) -> ast.Expr:
    function = function_named(scope, expr.name)
    if function is None:
        refuse_unknown(scope, expr)
    if normalized(expr.name) in scope.functions:
        verify_suffix(scope, expr.name, expr.span, only={"lupdf", "lupmf"})
    return replace(expr, type=function)


def _target(scope: Scope, expr: ast.TargetValue) -> ast.Expr:
    verify_suffix(scope, "target_lp", expr.span)
    return replace(expr, type=t.REAL, data_only=False)


# --------------------------------------------------------------------------- operators


def _paren(scope: Scope, expr: ast.Paren) -> ast.Expr:
    inner = check_expression(scope, expr.inner)
    return replace(expr, inner=inner, type=inner.type, data_only=inner.data_only)


def _unary(scope: Scope, expr: ast.Unary) -> ast.Expr:
    operand = check_expression(scope, expr.operand)
    result = operator_type(expr.op, expr.span, operand)
    return replace(expr, operand=operand, type=result, data_only=operand.data_only)


def _binary(scope: Scope, expr: ast.Binary) -> ast.Expr:
    """A chain such as `a + b + ...` is worked off in a loop: it may be longer than the stack."""
    chain: list[ast.Binary] = []
    operand: ast.Expr = expr
    while isinstance(operand, ast.Binary):
        chain.append(operand)
        operand = operand.left
    found = check_expression(scope, operand)
    for each in reversed(chain):
        right = check_expression(scope, each.right)
        result = operator_type(each.op, each.span, found, right)
        data_only = found.data_only and right.data_only
        found = replace(each, left=found, right=right, type=result, data_only=data_only)
    return found


def operator_type(op: ast.Op, span: ast.Span, *operands: ast.Expr) -> t.Type:
    """The type of an operator's result."""
    types = tuple(Given(type_of(each)) for each in operands)
    found = resolve_operator(op, types)
    if not isinstance(found, Match):
        symbol = op.value.removesuffix("u")
        listed = " and ".join(map(calls.described, operands))
        fail(f'"{symbol}" can\'t be applied to {listed}', span, _operator_hint(op, operands))
    return found.signature.result


def _operator_hint(op: ast.Op, operands: tuple[ast.Expr, ...]) -> str:
    """What may have been meant, else the signatures that share an operand's type."""
    types = tuple(map(type_of, operands))
    if any(isinstance(type, t.Array | t.Tuple) for type in types):
        return "arrays and tuples have no arithmetic of their own: use vectors, or a loop"
    if op in _ELEMENTWISE and types[0] == types[-1]:
        return _ELEMENTWISE[op]
    fitting = [
        each
        for each in operator_overloads(op).signatures
        if any(map(operator.eq, types, (argument.type for argument in each.arguments)))
    ]
    return f"what is there: {', '.join(map(str, fitting))}" if fitting else ""


_ELEMENTWISE: Mapping[ast.Op, str] = MappingProxyType(
    {
        ast.Op.MUL: "elementwise multiplication is .*, the inner product dot_product(a, b)",
        ast.Op.DIV: "elementwise division is ./",
    }
)


def _ternary(scope: Scope, expr: ast.Ternary) -> ast.Expr:
    condition = check_expression(scope, expr.condition)
    if_true = check_expression(scope, expr.if_true)
    if_false = check_expression(scope, expr.if_false)
    if condition.type != t.INT:
        described = calls.described(condition)
        fail(f"the condition of ?: must be an int, but this is {described}", expr.span)
    common = common_type(type_of(if_true), type_of(if_false))
    if common is None or isinstance(common, t.Function):
        fail(
            "the two values of ?: must have a type in common, but they are "
            f"{calls.described(if_true)} and {calls.described(if_false)}",
            expr.span,
        )
    data_only = condition.data_only and if_true.data_only and if_false.data_only
    return replace(
        expr,
        condition=condition,
        if_true=if_true,
        if_false=if_false,
        type=common,
        data_only=data_only,
    )


# --------------------------------------------------------------------------- containers


def _array_literal(scope: Scope, expr: ast.ArrayLiteral) -> ast.Expr:
    elements = check_expressions(scope, expr.elements)
    common = type_of(elements[0])
    for element in elements:
        wider = common_type(common, type_of(element))
        if wider is None:
            fail(
                "the elements of an array must have a type in common: expected "
                f"{calls.described_type(common)}, but this is {calls.described(element)}",
                element.span,
            )
        common = wider
    data_only = all(element.data_only for element in elements)
    return replace(expr, elements=elements, type=t.Array(common), data_only=data_only)


_ROWS = frozenset({t.ROW_VECTOR, t.COMPLEX_ROW_VECTOR})
_SCALARS = frozenset({t.INT, t.REAL, t.COMPLEX})
_COMPLEX = frozenset({t.COMPLEX, t.COMPLEX_ROW_VECTOR})


def _row_literal(scope: Scope, expr: ast.RowLiteral) -> ast.Expr:
    elements = check_expressions(scope, expr.elements)
    of_rows = bool(elements) and type_of(elements[0]) in _ROWS
    wanted, content = (_ROWS, "row vectors") if of_rows else (_SCALARS, "scalars")
    for element in elements:
        if type_of(element) not in wanted:
            fail(
                f"expected {content} in the brackets, but this is {calls.described(element)}",
                element.span,
                "[a, b] is a row vector of scalars or a matrix of row vectors; "
                "{a, b} is an array of anything",
            )
    is_complex = any(element.type in _COMPLEX for element in elements)
    result = t.Matrix(is_complex) if of_rows else t.RowVector(is_complex)
    data_only = all(element.data_only for element in elements)
    return replace(expr, elements=elements, type=result, data_only=data_only)


def _tuple_literal(scope: Scope, expr: ast.TupleLiteral) -> ast.Expr:
    elements = check_expressions(scope, expr.elements)
    data_only = all(element.data_only for element in elements)
    type = t.Tuple(tuple(map(type_of, elements)))
    return replace(expr, elements=elements, type=type, data_only=data_only)


def _tuple_item(scope: Scope, expr: ast.TupleItem) -> ast.Expr:
    base = check_expression(scope, expr.base)
    result = item_type(base, expr)
    return replace(expr, base=base, type=result, data_only=item_is_data(base, expr.item))


def item_type(base: ast.Expr, expr: ast.TupleItem) -> t.Type:
    """The type of one item of a tuple."""
    if not isinstance(base.type, t.Tuple):
        fail(f"only tuples have items, but this is {calls.described(base)}", expr.span)
    length = len(base.type.elements)
    if not 1 <= expr.item <= length:
        fail(f"the tuple has the items 1 to {length}, but not item {expr.item}", expr.span)
    return base.type.elements[expr.item - 1]


# --------------------------------------------------------------------------- indices


def _indexed(scope: Scope, expr: ast.Indexed) -> ast.Expr:
    indices = check_indices(scope, expr.indices)
    base = check_expression(scope, expr.base)
    result = indexed_type(type_of(base), indices, expr.span)
    data_only = base.data_only and all(map(depends_only_on_data, indices))
    return replace(expr, base=base, indices=indices, type=result, data_only=data_only)


def check_indices(scope: Scope, indices: tuple[ast.Index, ...]) -> tuple[ast.Index, ...]:
    """The indices typed: ints, arrays of ints, or ranges."""
    return tuple(_index(scope, index) for index in indices)


def _index(scope: Scope, index: ast.Index) -> ast.Index:
    match index:
        case ast.SingleIndex():
            value = check_expression(scope, index.value)
            if value.type not in (t.INT, t.Array(t.INT)):
                found = calls.described(value)
                fail(f"an index is an int or an array of ints, but this is {found}", value.span)
            return replace(index, value=value)
        case ast.RangeIndex():
            lower = _range_end(scope, index.lower)
            return replace(index, lower=lower, upper=_range_end(scope, index.upper))
        case _:
            return index


def _range_end(scope: Scope, expr: ast.Expr | None) -> ast.Expr | None:
    if expr is None:
        return None
    end = check_expression(scope, expr)
    if end.type != t.INT:
        fail(f"the ends of a range are ints, but this is {calls.described(end)}", end.span)
    return end


# --------------------------------------------------------------------------- calls


def _call(scope: Scope, expr: ast.Call) -> ast.Expr:
    args = check_expressions(scope, expr.args)
    found = calls.resolve_call(scope, replace(expr, args=args))
    calls.verify_returns(found)
    calls.verify_bar(found)
    verify_suffix(scope, expr.name, expr.span)
    assert found.callee is not None
    result = found.callee.result
    data_only = not holds_reals(result) or all(each.data_only for each in found.args)
    return replace(found, type=result, data_only=data_only)


_RULES: Mapping[type[ast.Expr], Callable[[Scope, Any], ast.Expr]] = MappingProxyType(
    {
        ast.IntLiteral: _int_literal,
        ast.RealLiteral: _real_literal,
        ast.ImagLiteral: _imaginary_literal,
        ast.StringLiteral: _string_literal,
        ast.Variable: _variable,
        ast.TargetValue: _target,
        ast.Paren: _paren,
        ast.Unary: _unary,
        ast.Binary: _binary,
        ast.Ternary: _ternary,
        ast.ArrayLiteral: _array_literal,
        ast.RowLiteral: _row_literal,
        ast.TupleLiteral: _tuple_literal,
        ast.TupleItem: _tuple_item,
        ast.Indexed: _indexed,
        ast.Call: _call,
    }
)
