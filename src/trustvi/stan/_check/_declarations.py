"""Declarations: sizes, constraints, names and first values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from trustvi.stan import _ast as ast
from trustvi.stan import _types as t
from trustvi.stan._check._calls import described
from trustvi.stan._check._errors import fail
from trustvi.stan._check._expressions import check_expression
from trustvi.stan._check._names import verify_not_reserved
from trustvi.stan._check._scope import (
    DATA_SECTIONS,
    Binding,
    Scope,
    Section,
    holds_reals,
    suffix_of,
)
from trustvi.stan._overloads import promotion_cost

_ELEMENT_TYPES: Mapping[str, t.Type] = MappingProxyType(
    {
        "int": t.INT,
        "real": t.REAL,
        "complex": t.COMPLEX,
        "row_vector": t.ROW_VECTOR,
        "complex_vector": t.COMPLEX_VECTOR,
        "complex_row_vector": t.COMPLEX_ROW_VECTOR,
        "complex_matrix": t.COMPLEX_MATRIX,
        **dict.fromkeys(
            (
                "vector",
                "simplex",
                "unit_vector",
                "ordered",
                "positive_ordered",
                "sum_to_zero_vector",
            ),
            t.VECTOR,
        ),
        **dict.fromkeys(
            (
                "matrix",
                "cov_matrix",
                "corr_matrix",
                "cholesky_factor_cov",
                "cholesky_factor_corr",
                "column_stochastic_matrix",
                "row_stochastic_matrix",
                "sum_to_zero_matrix",
            ),
            t.MATRIX,
        ),
    }
)


def declared_type(declared: ast.Declared) -> t.Type:
    """The type of a variable that is declared so."""
    sized = declared.sized
    if sized.name == "tuple":
        element: t.Type = t.Tuple(tuple(map(declared_type, sized.elements)))
    else:
        element = _ELEMENT_TYPES[sized.name]
    return t.array_of(element, len(sized.array_sizes))


def check_declarations(
    scope: Scope, stmts: Sequence[ast.Declaration]
) -> tuple[list[ast.Stmt], Scope]:
    """The names that one declaration gives, typed, and the scope behind them.

    As in Stan, all names and values are looked at before the constraints.
    """
    declared = stmts[0].declared
    sized = _check_sizes(scope, declared.sized)
    declared = _check_constraints(scope, replace(declared, sized=sized))
    type = declared_type(declared)
    typed: list[ast.Stmt] = []
    for stmt in stmts:
        scope, value = _check_name(scope, stmt, type)
        typed.append(replace(stmt, declared=declared, value=value, type=type))
    _verify_constrained(type, declared, stmts[0].span)
    _verify_differentiable(scope, type, stmts[0].span)
    return typed, scope


def _check_name(scope: Scope, stmt: ast.Declaration, type: t.Type) -> tuple[Scope, ast.Expr | None]:
    """One name with its value, and the scope behind it."""
    verify_new_name(scope, stmt.name, stmt.name_span)
    behind = scope.declare(stmt.name, _binding(scope, type))
    value = stmt.value and check_expression(behind, stmt.value)
    if value is not None and promotion_cost(_type(value), type) is None:
        fail(f'"{stmt.name}" is {type}, but its value is {described(value)}', stmt.span)
    return behind, value


def _binding(scope: Scope, type: t.Type) -> Binding:
    data = scope.section in DATA_SECTIONS or not holds_reals(type)
    return Binding(type, scope.section, data)


def _type(expr: ast.Expr) -> t.Type:
    assert expr.type is not None
    return expr.type


# --------------------------------------------------------------------------- sizes


def is_sized_by_data(scope: Scope) -> bool:
    """Whether variables declared here live at the top level of a block."""
    return not scope.nested and scope.section not in (Section.FUNCTIONS, Section.MODEL)


def _check_sizes(scope: Scope, sized: ast.SizedType) -> ast.SizedType:
    """The element's own sizes before those of the arrays around it, the innermost array first."""
    at_sizes = replace(scope, sizing=is_sized_by_data(scope))
    elements = tuple(
        replace(each, sized=_check_sizes(scope, each.sized)) for each in sized.elements
    )
    sizes = tuple(_check_size(at_sizes, each, sized.name) for each in sized.sizes)
    arrays = [_check_size(at_sizes, each, "array") for each in reversed(sized.array_sizes)]
    return replace(sized, sizes=sizes, array_sizes=tuple(reversed(arrays)), elements=elements)


def _check_size(scope: Scope, size: ast.Expr, of: str) -> ast.Expr:
    found = check_expression(scope, size)
    if found.type != t.INT:
        fail(f"the size of {_a(of)} must be an int, but this is {described(found)}", size.span)
    return found


def _a(name: str) -> str:
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


# --------------------------------------------------------------------------- constraints


def _check_constraints(scope: Scope, declared: ast.Declared) -> ast.Declared:
    """The bounds or the offset and multiplier typed, in tuples those of the items."""
    sized = declared.sized
    if sized.elements:
        elements = tuple(_check_constraints(scope, each) for each in sized.elements)
        return replace(declared, sized=replace(sized, elements=elements))
    type = declared_type(declared)
    names = _ARGUMENTS.get(declared.transform, ())
    pairs = reversed(list(zip(names, declared.arguments, strict=True)))
    found = [_check_constraint(scope, type, *pair) for pair in pairs]
    return replace(declared, arguments=tuple(reversed(found)))


_ARGUMENTS: Mapping[ast.Transform, tuple[str, ...]] = MappingProxyType(
    {
        ast.Transform.LOWER: ("lower bound",),
        ast.Transform.UPPER: ("upper bound",),
        ast.Transform.LOWER_UPPER: ("lower bound", "upper bound"),
        ast.Transform.OFFSET: ("offset",),
        ast.Transform.MULTIPLIER: ("multiplier",),
        ast.Transform.OFFSET_MULTIPLIER: ("offset", "multiplier"),
    }
)


def _check_constraint(scope: Scope, type: t.Type, name: str, argument: ast.Expr) -> ast.Expr:
    """A constraint's argument: a scalar, or one value for each element of the variable."""
    found = check_expression(scope, argument)
    if found.type not in (t.INT, t.REAL, type):
        wanted = "a scalar" if type in (t.INT, t.REAL) else f"a scalar or {_a(str(type))}"
        fail(f"the {name} must be {wanted}, but this is {described(found)}", argument.span)
    return found


def _verify_constrained(type: t.Type, declared: ast.Declared, span: ast.Span) -> None:
    """Bounds of an int are ints, and complex variables have no constraints."""
    if not declared.arguments:
        return
    if type == t.INT and any(each.type == t.REAL for each in declared.arguments):
        fail("the bounds of an int must be ints, but here one is real", span)
    if declared.sized.name.startswith("complex"):
        fail("complex variables have no constraints", span)


def _verify_differentiable(scope: Scope, type: t.Type, span: ast.Span) -> None:
    """Parameters are real: Stan has no discrete parameters, and none that is computed."""
    sections = (Section.PARAMETERS, Section.TRANSFORMED_PARAMETERS)
    if scope.section in sections and not scope.nested and _holds_ints(type):
        hint = (
            "discrete parameters must be summed out of the density"
            if scope.section == Section.PARAMETERS
            else "declare it in braces, or in the transformed data or generated quantities block"
        )
        fail(f"there are no int variables in the {scope.section.value} block", span, hint)


def _holds_ints(type: t.Type) -> bool:
    inner, _ = t.unwind(type)
    if isinstance(inner, t.Tuple):
        return any(map(_holds_ints, inner.elements))
    return inner == t.INT


# --------------------------------------------------------------------------- names


def verify_new_name(scope: Scope, name: str, span: ast.Span) -> None:
    """A new variable's name isn't reserved, and no variable in scope has it."""
    verify_not_reserved(name, span)
    verify_not_unnormalized(name, span)
    if name in scope.variables:
        fail(f'a variable "{name}" is in scope already', span)


def verify_not_unnormalized(name: str, span: ast.Span) -> None:
    if suffix_of(name) in ("lupdf", "lupmf"):
        fail(f'only functions have names that end in _lupdf or _lupmf, but not "{name}"', span)
