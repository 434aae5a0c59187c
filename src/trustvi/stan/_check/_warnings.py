"""What Stan allows and is probably not meant: found in the typed tree."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, replace
from types import MappingProxyType
from typing import Any

from trustvi.stan import _ast as ast
from trustvi.stan import _types as t
from trustvi.stan._ast import Op
from trustvi.stan._check._flow import leaves
from trustvi.stan._check._unused import names_read, unused_parameters, unused_variables
from trustvi.stan._check._walk import nodes
from trustvi.stan._diagnostics import StanWarning


def warnings_of(program: ast.Program) -> tuple[StanWarning, ...]:
    """All warnings, in the order of the text."""
    found = [
        *_empty(program),
        *(warning for node in nodes(program) for warning in _at(node)),
        *_forward_declarations(program.functions or ()),
        *unused_parameters(program),
        *unused_variables(program),
    ]
    return tuple(sorted(found, key=lambda each: (each.span.line, each.span.column)))


def _empty(program: ast.Program) -> Iterator[StanWarning]:
    blocks = (each.name for each in fields(program) if each.name != "source")
    if all(getattr(program, block) is None for block in blocks):
        start = ast.Span(program.source.file, 1, 1, 1, 1)
        yield StanWarning("the program has no blocks: it is a model, but an empty one", start)


def _at(node: object) -> Iterator[StanWarning]:
    rule = _RULES.get(type(node))
    return iter(()) if rule is None else rule(node)


# --------------------------------------------------------------------------- expressions

_COMPARISONS = frozenset({Op.EQ, Op.NE, Op.LT, Op.LE, Op.GT, Op.GE})


def _binary(expr: ast.Binary) -> Iterator[StanWarning]:
    if expr.op is Op.DIV and expr.left.type == t.INT == expr.right.type:
        yield StanWarning(
            "this division of two ints rounds towards zero",
            expr.span,
            ("for a real result make one of them real, as in 1.0 / 2; %/% says that it is meant",),
        )
    scalar = expr.right.type in (t.INT, t.REAL)
    if expr.op is Op.POW and scalar and isinstance(expr.left.type, t.Matrix):
        yield StanWarning(
            "this raises each element of the matrix to a power",
            expr.span,
            (".^ says that it is meant; a power of the matrix is matrix_power(m, n)",),
        )
    if expr.op in _COMPARISONS and isinstance(expr.left, ast.Binary):
        yield from _chained(expr, expr.left)


def _chained(expr: ast.Binary, left: ast.Binary) -> Iterator[StanWarning]:
    if left.op in _COMPARISONS:
        first, second = left.op.value, expr.op.value
        yield StanWarning(
            f"a {first} b {second} c compares the outcome of a {first} b, 0 or 1, with c",
            expr.span,
            (f"probably a {first} b && b {second} c is meant",),
        )


_LKJ_COV = "build the matrix from lkj_corr and scales: quad_form_diag(Omega, sigma)"
DEPRECATED: Mapping[str, str] = MappingProxyType(
    {
        "integrate_ode": "ode_rk45, which passes the function any arguments",
        "integrate_ode_rk45": "ode_rk45, which passes the function any arguments",
        "integrate_ode_bdf": "ode_bdf, which passes the function any arguments",
        "integrate_ode_adams": "ode_adams, which passes the function any arguments",
        "algebra_solver": "solve_powell, which passes the function any arguments",
        "algebra_solver_newton": "solve_newton, which passes the function any arguments",
        "lkj_cov_lpdf": _LKJ_COV,
        "lkj_cov_lupdf": _LKJ_COV,
    }
)
"""Functions that a later Stan will not have, with what to write instead."""


def _call(call: ast.Call) -> Iterator[StanWarning]:
    if call.name in DEPRECATED and not call.user_defined:
        hint = f"write {DEPRECATED[call.name]}"
        yield StanWarning(f'"{call.name}" is deprecated', call.span, (hint,))


# --------------------------------------------------------------------------- statements


def _sample(stmt: ast.Sample) -> Iterator[StanWarning]:
    if stmt.density is not None:
        yield from _call(replace(stmt.density, span=stmt.name_span or stmt.span))


def _declaration(stmt: ast.Declaration) -> Iterator[StanWarning]:
    if stmt.value is not None and stmt.name in names_read(stmt.value):
        yield StanWarning(f'the first value of "{stmt.name}" is computed from itself', stmt.span)
    if stmt.name == "jacobian":
        hint = ("give the variable another name",)
        yield StanWarning('"jacobian" is a reserved word in newer Stan', stmt.name_span, hint)


def _assign(stmt: ast.Assign) -> Iterator[StanWarning]:
    if stmt.op is None and _spelling(stmt.target) == _spelling(stmt.value):
        yield StanWarning("a variable is assigned to itself", stmt.span)


_WORDS = ("name", "value", "text", "op", "item")


def _spelling(expr: ast.Expr) -> list[tuple[object, ...]]:
    """What an expression says, wherever it stands."""
    found = []
    for node in nodes(expr):
        words = (getattr(node, word, None) for word in _WORDS)
        found.append((type(node), *(word for word in words if isinstance(word, str | int | Op))))
    return found


def _body(stmt: ast.Block | ast.Profile) -> Iterator[StanWarning]:
    return _unreachable(stmt.body)


def _unreachable(statements: Iterable[ast.Stmt]) -> Iterator[StanWarning]:
    """The first of the statements behind one that leaves them."""
    for before, statement in itertools.pairwise(statements):
        if leaves(before):
            yield StanWarning("this is never reached", statement.span)
            return


# --------------------------------------------------------------------------- programs


def _program(program: ast.Program) -> Iterator[StanWarning]:
    for statements in (
        program.transformed_data,
        program.transformed_parameters,
        program.model,
        program.generated_quantities,
    ):
        yield from _unreachable(statements or ())


def _forward_declarations(functions: Iterable[ast.FunctionDef]) -> Iterator[StanWarning]:
    for function in functions:
        if function.body is None:
            message = f'"{function.name}" need not be declared before it is defined'
            yield StanWarning(message, function.name_span)


_RULES: Mapping[type, Callable[[Any], Iterator[StanWarning]]] = MappingProxyType(
    {
        ast.Binary: _binary,
        ast.Call: _call,
        ast.Sample: _sample,
        ast.Declaration: _declaration,
        ast.Assign: _assign,
        ast.Block: _body,
        ast.Profile: _body,
        ast.Program: _program,
    }
)
