"""Statements: every rule takes a scope and a node, and returns the node typed."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from trustvi.stan import _ast as ast
from trustvi.stan import _types as t
from trustvi.stan._check._assignments import check_assignment
from trustvi.stan._check._calls import described, resolve_call
from trustvi.stan._check._declarations import check_declarations, verify_new_name
from trustvi.stan._check._errors import fail
from trustvi.stan._check._expressions import check_expression, check_expressions, type_of
from trustvi.stan._check._names import verify_not_reserved, verify_suffix, verify_target
from trustvi.stan._check._sampling import check_sampling
from trustvi.stan._check._scope import Binding, Scope, Section, holds_reals
from trustvi.stan._overloads import promotion_cost

Statements = tuple[ast.Stmt, ...]


def check_statements(scope: Scope, statements: Statements) -> tuple[Statements, Scope]:
    """Statements in their order, and the scope behind them."""
    found: list[ast.Stmt] = []
    for declared, group in itertools.groupby(statements, _declared_together):
        if declared is None:
            found += (_RULES[type(each)](scope, each) for each in group)
        else:
            names = [each for each in group if isinstance(each, ast.Declaration)]
            typed, scope = check_declarations(scope, names)
            found += typed
    return tuple(found), scope


def _declared_together(stmt: ast.Stmt) -> int | None:
    """The same for the names of one declaration, and None for all other statements."""
    return id(stmt.declared) if isinstance(stmt, ast.Declaration) else None


def check_nested(scope: Scope, statement: ast.Stmt) -> ast.Stmt:
    """A statement that a branch or a loop governs; what it declares ends with it."""
    return check_body(scope, (statement,))[0]


def check_body(scope: Scope, statements: Statements) -> Statements:
    """The statements in braces."""
    return check_statements(replace(scope, nested=True), statements)[0]


# --------------------------------------------------------------------------- structure


def _block(scope: Scope, stmt: ast.Block) -> ast.Stmt:
    return replace(stmt, body=check_body(scope, stmt.body))


def _profile(scope: Scope, stmt: ast.Profile) -> ast.Stmt:
    return replace(stmt, body=check_body(scope, stmt.body))


def _if(scope: Scope, stmt: ast.If) -> ast.Stmt:
    """A chain of `else if` is worked off in a loop: it may be longer than the stack."""
    links: list[ast.If] = []
    otherwise: ast.Stmt | None = stmt
    while isinstance(otherwise, ast.If):
        condition = _condition(scope, otherwise.condition, "if")
        then = check_nested(scope, otherwise.then)
        links.append(replace(otherwise, condition=condition, then=then))
        otherwise = otherwise.otherwise
    typed = otherwise and check_nested(scope, otherwise)
    for link in reversed(links):
        typed = replace(link, otherwise=typed)
    assert typed is not None
    return typed


def _while(scope: Scope, stmt: ast.While) -> ast.Stmt:
    condition = _condition(scope, stmt.condition, "while")
    body = check_nested(replace(scope, in_loop=True), stmt.body)
    return replace(stmt, condition=condition, body=body)


def _condition(scope: Scope, expr: ast.Expr, word: str) -> ast.Expr:
    found = check_expression(scope, expr)
    if found.type != t.INT:
        fail(f'the condition of "{word}" must be an int, not {described(found)}', expr.span)
    return found


def _for(scope: Scope, stmt: ast.For) -> ast.Stmt:
    lower = _loop_bound(scope, stmt.lower)
    upper = _loop_bound(scope, stmt.upper)
    body = _loop_body(scope, stmt, t.INT)
    return replace(stmt, lower=lower, upper=upper, body=body)


def _loop_bound(scope: Scope, expr: ast.Expr) -> ast.Expr:
    found = check_expression(scope, expr)
    if found.type != t.INT:
        fail(f"a loop runs between ints, but this is {described(found)}", expr.span)
    return found


def _for_each(scope: Scope, stmt: ast.ForEach) -> ast.Stmt:
    container = check_expression(scope, stmt.container)
    verify_not_reserved(stmt.name, stmt.name_span or stmt.span)
    match container.type:
        case t.Array(element):
            type = element
        case t.Vector(complex=False) | t.RowVector(complex=False) | t.Matrix(complex=False):
            type = t.REAL
        case _:
            fail(
                "a loop runs over a range, an array, a vector or a matrix, but this is "
                f"{described(container)}",
                container.span,
            )
    return replace(stmt, container=container, body=_loop_body(scope, stmt, type))


def _loop_body(scope: Scope, stmt: ast.For | ast.ForEach, type: t.Type) -> ast.Stmt:
    """The body, for which the loop variable is declared."""
    verify_new_name(scope, stmt.name, stmt.name_span or stmt.span)
    data = scope.section == Section.TRANSFORMED_DATA or not holds_reals(type)
    variable = Binding(type, scope.section, data, fixed=True)
    inside = replace(scope.declare(stmt.name, variable), in_loop=True)
    return check_nested(inside, stmt.body)


def _break(scope: Scope, stmt: ast.Break) -> ast.Stmt:
    if not scope.in_loop:
        fail('"break" is only for loops', stmt.span)
    return stmt


def _continue(scope: Scope, stmt: ast.Continue) -> ast.Stmt:
    if not scope.in_loop:
        fail('"continue" is only for loops', stmt.span)
    return stmt


def _return(scope: Scope, stmt: ast.Return) -> ast.Stmt:
    result = scope.inside.result if scope.inside else t.VOID
    if stmt.value is None:
        if scope.inside is None:
            fail('"return" is only for functions', stmt.span)
        if result != t.VOID:
            fail(f"the function must return a value of type {result}", stmt.span)
        return stmt
    if result == t.VOID:
        place = "a function of type void" if scope.inside else "a block"
        fail(f"no value can be returned from {place}", stmt.span)
    value = check_expression(scope, stmt.value)
    if promotion_cost(type_of(value), result) is None:
        fail(f"the function returns {result}, but this is {described(value)}", stmt.span)
    return replace(stmt, value=value)


# --------------------------------------------------------------------------- effects


def _target_increment(scope: Scope, stmt: ast.TargetIncrement) -> ast.Stmt:
    if stmt.jacobian and "jacobian" in scope.variables:
        return check_assignment(scope, _increment_of_variable(stmt))
    if stmt.jacobian:
        _verify_jacobian(scope, stmt.span)
    value = check_expression(scope, stmt.value)
    if not stmt.jacobian:
        verify_target(scope, stmt.span)
    if isinstance(value.type, t.Function):
        fail(f"a value is expected here, but this is {described(value)}", stmt.span)
    return replace(stmt, value=value)


def _increment_of_variable(stmt: ast.TargetIncrement) -> ast.Assign:
    """`jacobian += value` where a variable has that name, which older programs may do."""
    start = stmt.span
    span = replace(start, end_line=start.line, end_column=start.column + len("jacobian"))
    target = ast.Variable(span=span, name="jacobian")
    return ast.Assign(span=stmt.span, target=target, value=stmt.value, op=ast.Op.ADD)


def _verify_jacobian(scope: Scope, span: ast.Span) -> None:
    if scope.section != Section.TRANSFORMED_PARAMETERS and scope.suffix != "jacobian":
        fail(
            '"jacobian +=" is only for the transformed parameters block and for functions with '
            "names that end in _jacobian",
            span,
        )


def _call(scope: Scope, stmt: ast.CallStmt) -> ast.Stmt:
    call = stmt.call
    found = resolve_call(scope, replace(call, args=check_expressions(scope, call.args)))
    if found.callee is not None and found.callee.result != t.VOID:
        fail(
            f'"{call.name}" returns a value, so that its call alone is no statement',
            stmt.span,
            "only functions of type void are called for their effect",
        )
    verify_suffix(scope, call.name, stmt.span, only={"lp"})
    return replace(stmt, call=replace(found, type=t.VOID))


def _print(scope: Scope, stmt: ast.Print) -> ast.Stmt:
    return replace(stmt, args=_printed(scope, stmt.args))


def _reject(scope: Scope, stmt: ast.Reject) -> ast.Stmt:
    return replace(stmt, args=_printed(scope, stmt.args))


def _printed(scope: Scope, args: tuple[ast.Expr, ...]) -> tuple[ast.Expr, ...]:
    return tuple(_printable(scope, arg) for arg in args)


def _printable(scope: Scope, arg: ast.Expr) -> ast.Expr:
    found = check_expression(scope, arg)
    if isinstance(found.type, t.Function):
        fail("functions can't be printed", arg.span)
    return found


def _skip(_: Scope, stmt: ast.Skip) -> ast.Stmt:
    return stmt


_RULES: Mapping[type[ast.Stmt], Callable[[Scope, Any], ast.Stmt]] = MappingProxyType(
    {
        ast.Assign: check_assignment,
        ast.TargetIncrement: _target_increment,
        ast.Sample: check_sampling,
        ast.CallStmt: _call,
        ast.Print: _print,
        ast.Reject: _reject,
        ast.Block: _block,
        ast.Profile: _profile,
        ast.If: _if,
        ast.While: _while,
        ast.For: _for,
        ast.ForEach: _for_each,
        ast.Break: _break,
        ast.Continue: _continue,
        ast.Return: _return,
        ast.Skip: _skip,
    }
)
