"""`y ~ distribution(...)`: the density it stands for, and the functions of its truncation."""

from __future__ import annotations

from dataclasses import replace
from typing import NoReturn

from trustvi.stan import _ast as ast
from trustvi.stan import _types as t
from trustvi.stan._check._calls import described, refuse, resolve_named, with_callee
from trustvi.stan._check._errors import fail
from trustvi.stan._check._expressions import check_expression, check_expressions
from trustvi.stan._check._names import verify_not_reserved, verify_target
from trustvi.stan._check._scope import DENSITIES, Scope, suffix_of
from trustvi.stan._diagnostics import did_you_mean
from trustvi.stan._overloads import Ambiguity, Match, Mismatch
from trustvi.stan.library import _table as table


def check_sampling(scope: Scope, stmt: ast.Sample) -> ast.Stmt:
    """A `~` statement with its density, and with the distribution functions of its truncation."""
    variate = check_expression(scope, stmt.variate)
    args = check_expressions(scope, stmt.args)
    truncation = stmt.truncation and _check_bounds(scope, stmt.truncation)
    verify_not_reserved(stmt.distribution, stmt.name_span or stmt.span)
    _verify_bare_name(stmt)
    verify_target(scope, stmt.span)
    typed = replace(stmt, variate=variate, args=args)
    density = _density(scope, typed)
    if truncation is not None:
        truncation = _with_distribution_functions(scope, typed, truncation)
    return replace(typed, density=density, truncation=truncation)


def _verify_bare_name(stmt: ast.Sample) -> None:
    suffix = suffix_of(stmt.distribution)
    if suffix in DENSITIES:
        bare = stmt.distribution.removesuffix(f"_{suffix}")
        fail(
            f'a distribution is named without its suffix "_{suffix}"',
            stmt.name_span or stmt.span,
            f"write ~ {bare}(...)",
        )


# --------------------------------------------------------------------------- density


def _density(scope: Scope, stmt: ast.Sample) -> ast.Call:
    """The unnormalised density; a mass function is preferred where the arguments fit both."""
    args = (stmt.variate, *stmt.args)
    names = (f"{stmt.distribution}_lpmf", f"{stmt.distribution}_lpdf")
    tried = [(name, resolve_named(scope, name, args)) for name in names]
    matched = [(name, found.signature) for name, found in tried if isinstance(found, Match)]
    if matched:
        name, callee = matched[0]
        call = _conditional_call(f"{name[:-4]}lu{name[-3:]}", args, stmt.span)
        return with_callee(scope, replace(call, name_span=stmt.name_span), callee)
    failed = [found for _, found in tried if isinstance(found, Ambiguity | Mismatch)]
    if not failed:
        _refuse_unknown_distribution(scope, stmt)
    return refuse(stmt.distribution, args, failed[-1], stmt.span)


def _conditional_call(name: str, args: tuple[ast.Expr, ...], span: ast.Span) -> ast.Call:
    data_only = all(arg.data_only for arg in args)
    return ast.Call(span=span, name=name, args=args, bar=True, type=t.REAL, data_only=data_only)


def _refuse_unknown_distribution(scope: Scope, stmt: ast.Sample) -> NoReturn:
    bare = [
        name.rpartition("_")[0]
        for name in (*scope.functions, *table.names())
        if suffix_of(name) in ("lpdf", "lpmf")
    ]
    fail(
        f'there is no distribution "{stmt.distribution}": no function '
        f'"{stmt.distribution}_lpdf" or "{stmt.distribution}_lpmf"',
        stmt.span,
        *did_you_mean(stmt.distribution, bare),
    )


# --------------------------------------------------------------------------- truncation


def _check_bounds(scope: Scope, truncation: ast.Truncation) -> ast.Truncation:
    upper = _check_bound(scope, truncation.upper)
    return replace(truncation, lower=_check_bound(scope, truncation.lower), upper=upper)


def _check_bound(scope: Scope, bound: ast.Expr | None) -> ast.Expr | None:
    if bound is None:
        return None
    found = check_expression(scope, bound)
    if found.type not in (t.INT, t.REAL):
        fail(f"a truncation is at an int or a real, but this is {described(found)}", bound.span)
    return found


def _with_distribution_functions(
    scope: Scope, stmt: ast.Sample, truncation: ast.Truncation
) -> ast.Truncation:
    """Both functions must take each of the bounds that are given."""
    lower, upper = truncation.lower, truncation.upper
    bounds = [bound for bound in (lower, upper) if bound is not None]
    calls = [
        _distribution_function(scope, stmt, suffix, bound)
        for bound in bounds
        for suffix in ("lcdf", "lccdf")
    ]
    if not calls:
        return truncation
    return replace(truncation, lcdf=calls[-2], lccdf=calls[1])


def _distribution_function(
    scope: Scope, stmt: ast.Sample, suffix: str, bound: ast.Expr
) -> ast.Call:
    name = f"{stmt.distribution}_{suffix}"
    args = (bound, *stmt.args)
    found = resolve_named(scope, name, args)
    if not isinstance(found, Match):
        listed = f"({', '.join(map(described, args))})"
        fail(
            f'a truncation needs the functions "{stmt.distribution}_lcdf" and '
            f'"{stmt.distribution}_lccdf", but there is no "{name}" for {listed}',
            stmt.span,
        )
    return with_callee(scope, _conditional_call(name, args, bound.span), found.signature)
