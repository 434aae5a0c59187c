"""Which function a call means: the program's own or the library's, and which of its signatures."""

from __future__ import annotations

import functools
from dataclasses import replace
from typing import NoReturn

from trustvi.stan import _ast as ast
from trustvi.stan import _types as t
from trustvi.stan._check import _variadic as variadic
from trustvi.stan._check._errors import fail, ordinal
from trustvi.stan._check._names import refuse_unknown_function
from trustvi.stan._check._scope import CONDITIONAL, Scope, normalized, suffix_of
from trustvi.stan._overloads import (
    Ambiguity,
    Given,
    Match,
    Mismatch,
    Miss,
    Overloads,
    Resolution,
    library_overloads,
    overloads_of,
    resolve,
    resolve_library,
)

_MISSES_SHOWN = 5


def resolve_call(scope: Scope, call: ast.Call) -> ast.Call:
    """`call`, whose arguments are typed, with its callee."""
    if call.name in variadic.FORMS:
        return _resolve_variadic(scope, call)
    plain = normalized(call.name)
    if plain in scope.variables and library_overloads(plain) is None:
        found = scope.variables[plain].type
        fail(f'"{call.name}" is no function here, but a variable of type {found}', call.span)
    resolution = resolve_named(scope, call.name, call.args)
    if resolution is None:
        refuse_unknown_function(scope, call)
    if not isinstance(resolution, Match):
        refuse(call.name, call.args, resolution, call.span)
    return with_callee(scope, call, resolution.signature)


def with_callee(scope: Scope, call: ast.Call, callee: t.Function) -> ast.Call:
    """`call` with the function it means."""
    own = callee in scope.functions.get(normalized(call.name), ())
    return replace(call, callee=callee, user_defined=own)


def resolve_named(scope: Scope, name: str, args: tuple[ast.Expr, ...]) -> Resolution | None:
    """The signature that fits `args` among all functions called `name`; None if there are none."""
    plain = normalized(name)
    given = tuple(map(_given, args))
    own = scope.functions.get(plain)
    if own is None:
        return resolve_library(plain, _with_wanted_callback(library_overloads(plain), given))
    overloads = _with_library(own, plain)
    return resolve(overloads, _with_wanted_callback(overloads, given))


def _given(arg: ast.Expr) -> Given:
    assert arg.type is not None
    return Given(arg.type, arg.data_only)


@functools.lru_cache(maxsize=256)
def _with_library(own: tuple[t.Function, ...], name: str) -> Overloads:
    """The program's own signatures, and those of the library's function that they overload."""
    library = library_overloads(name)
    return overloads_of((*own, *library.signatures) if library else own)


def _with_wanted_callback(
    overloads: Overloads | None, given: tuple[Given, ...]
) -> tuple[Given, ...]:
    """A function passed as the first argument stands for the function type that is wanted there.

    The solvers want a function of one type, and take one that is content with what they pass.
    """
    if overloads is None or not given or not isinstance(given[0].type, t.Function):
        return given
    for signature in overloads.signatures:
        wanted = signature.arguments[0].type if signature.arguments else None
        if isinstance(wanted, t.Function) and variadic.can_stand_for(given[0].type, wanted):
            return (Given(wanted), *given[1:])
    return given


def _resolve_variadic(scope: Scope, call: ast.Call) -> ast.Call:
    found = variadic.resolve_variadic(scope, call)
    if not isinstance(found, variadic.Bound):
        refuse(call.name, call.args, found, call.span)
    callback = replace(call.args[0], type=found.callback)
    return replace(call, args=(callback, *call.args[1:]), callee=found.callee)


# --------------------------------------------------------------------------- verdicts


def verify_returns(call: ast.Call) -> None:
    """The call has a value."""
    if call.callee is not None and call.callee.result == t.VOID:
        fail(f'"{call.name}" returns nothing, but a value is expected here', call.span)


def verify_bar(call: ast.Call) -> None:
    """Densities and distribution functions, and no others, have a bar behind their variate."""
    conditional = suffix_of(call.name) in CONDITIONAL
    if call.bar and not conditional:
        fail(
            "a bar is only for functions with names that end in _lpdf, _lupdf, _lpmf, _lupmf, "
            "_cdf, _lcdf or _lccdf",
            call.span,
        )
    if conditional and not call.bar and len(call.args) != 1:
        fail(
            f'"{call.name}" needs a bar between its first two arguments',
            call.span,
            f"write {call.name}(variate | arguments)",
        )


def refuse(
    name: str, args: tuple[ast.Expr, ...], found: Ambiguity | Mismatch, span: ast.Span
) -> NoReturn:
    """The arguments fit no signature, or several equally well."""
    listed = f"({', '.join(map(described, args))})"
    if isinstance(found, Ambiguity):
        fail(
            f'"{name}" fits {listed} in several ways that are equally good',
            span,
            *(f"it could be {signature}" for signature in found.signatures),
        )
    hints = [_explained(miss, args) for miss in found.misses[:_MISSES_SHOWN]]
    left = len(found.misses) - len(hints)
    more = (f"and {left} more signatures",) if left else ()
    fail(f'"{name}" can\'t be called with {listed}', span, *hints, *more)


def _explained(miss: Miss, args: tuple[ast.Expr, ...]) -> str:
    wanted = miss.signature.arguments
    if miss.position is None:
        count = "no arguments" if not wanted else f"{len(wanted)} argument{'s'[: len(wanted) > 1]}"
        return f"{miss.signature} takes {count}, not {len(args)}"
    which = f"{miss.signature}: the {ordinal(miss.position)} argument must be"
    if miss.needs_data:
        return (
            f"{which} data (local variables and arguments of functions are taken to depend on "
            'parameters; an argument declared with "data" is not)'
        )
    return f"{which} {wanted[miss.position].type}, not {described(args[miss.position])}"


def described(expr: ast.Expr) -> str:
    """The type of an expression, for messages."""
    return described_type(expr.type)


def described_type(type: t.Type | None) -> str:
    if isinstance(type, t.Function):
        return f"the function {type}"
    return str(type)
