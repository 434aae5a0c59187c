"""Functions that take a function and pass it what else they are given.

`ode_rk45(f, y0, t0, ts, a, b)` calls `f(t, y, a, b)`: the arguments behind the solver's own can
have any types that `f` takes (Stan Functions Reference, "Variadic ODE arguments").
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from trustvi.stan import _ast as ast
from trustvi.stan import _types as t
from trustvi.stan._check._errors import fail
from trustvi.stan._check._scope import Scope, normalized, suffix_of
from trustvi.stan._overloads import (
    Ambiguity,
    Given,
    Match,
    Mismatch,
    Miss,
    overloads_of,
    resolve,
)


@dataclass(frozen=True, slots=True)
class Form:
    """What a variadic function passes to its callback first, and takes itself behind it."""

    passed: tuple[t.Argument, ...]
    returned: t.Type
    own: tuple[t.Argument, ...]
    result: t.Type


def _plain(*types: t.Type) -> tuple[t.Argument, ...]:
    return tuple(map(t.Argument, types))


def _data(*types: t.Type) -> tuple[t.Argument, ...]:
    return tuple(t.Argument(each, data_only=True) for each in types)


_REALS = t.Array(t.REAL)
_VECTORS = t.Array(t.VECTOR)
_TOLERANCES = _data(t.REAL, t.REAL, t.INT)
_ADJOINT = _data(
    *(t.REAL, t.VECTOR),  # forward: relative and absolute tolerance
    *(t.REAL, t.VECTOR),  # backward
    *(t.REAL, t.REAL),  # quadrature
    *(t.INT, t.INT),  # steps in all, steps between checkpoints
    *(t.INT, t.INT, t.INT),  # interpolation, forward solver, backward solver
)


def _ode(*control: t.Argument) -> Form:
    passed = _plain(t.REAL, t.VECTOR)
    return Form(passed, t.VECTOR, (*_plain(t.VECTOR, t.REAL, _REALS), *control), _VECTORS)


def _dae(*control: t.Argument) -> Form:
    passed = _plain(t.REAL, t.VECTOR, t.VECTOR)
    own = (*_plain(t.VECTOR, t.VECTOR), *_data(t.REAL, _REALS), *control)
    return Form(passed, t.VECTOR, own, _VECTORS)


def _root(*control: t.Argument) -> Form:
    return Form(_plain(t.VECTOR), t.VECTOR, (*_plain(t.VECTOR), *control), t.VECTOR)


def _sum_over(slices: t.Argument) -> Form:
    """`reduce_sum(f, slices, grainsize, ...)` calls `f(slice, start, end, ...)`."""
    return Form((slices, *_data(t.INT, t.INT)), t.REAL, (slices, *_plain(t.INT)), t.REAL)


FORMS: Mapping[str, Form] = MappingProxyType(
    {
        **{f"ode_{method}": _ode() for method in ("rk45", "adams", "bdf", "ckrk")},
        **{f"ode_{method}_tol": _ode(*_TOLERANCES) for method in ("rk45", "adams", "bdf", "ckrk")},
        "ode_adjoint_tol_ctl": _ode(*_ADJOINT),
        "dae": _dae(),
        "dae_tol": _dae(*_TOLERANCES),
        **{f"solve_{method}": _root() for method in ("newton", "powell")},
        **{f"solve_{method}_tol": _root(*_TOLERANCES) for method in ("newton", "powell")},
        **dict.fromkeys(("reduce_sum", "reduce_sum_static"), _sum_over(t.Argument(_REALS))),
    }
)
"""The variadic functions; `reduce_sum` stands here for arrays of reals, but takes other arrays."""

SLICED = frozenset({t.INT, t.REAL, t.VECTOR, t.ROW_VECTOR, t.MATRIX})
"""The elements of the arrays, of any depth, that `reduce_sum` takes apart."""


# --------------------------------------------------------------------------- resolution


@dataclass(frozen=True, slots=True)
class Bound:
    """A variadic call's own signature, and that of the function it calls."""

    callee: t.Function
    callback: t.Function


def resolve_variadic(scope: Scope, call: ast.Call) -> Bound | Ambiguity | Mismatch:
    """What a call of a variadic function means; its arguments are typed."""
    overloads = _callbacks(scope, call)
    form = _form(call)
    given = tuple(Given(_type(arg), arg.data_only) for arg in call.args[1:])
    passed = tuple(Given(each.type, each.data_only) for each in form.passed)
    found = resolve(overloads_of(overloads), (*passed, *given[len(form.own) :]))
    if isinstance(found, Ambiguity):
        return found
    callback = found.signature if isinstance(found, Match) else found.misses[0].signature
    form = _with_slices_of(callback, form, call)
    _verify_callback(callback, form, call)
    callee = _callee(callback, form)
    behind = resolve(overloads_of([t.Function(callee.arguments[1:], callee.result)]), given)
    if isinstance(behind, Mismatch):
        return Mismatch(tuple(_shifted(miss, callee) for miss in behind.misses))
    return Bound(callee, callback)


def _type(arg: ast.Expr) -> t.Type:
    assert arg.type is not None
    return arg.type


def _shifted(miss: Miss, callee: t.Function) -> Miss:
    """`miss` of the arguments behind the callback, as one of the whole call."""
    position = None if miss.position is None else miss.position + 1
    return Miss(callee, position, miss.needs_data)


def _callee(callback: t.Function, form: Form) -> t.Function:
    extra = callback.arguments[len(form.passed) :]
    return t.Function((t.Argument(callback), *form.own, *extra), form.result)


def _callbacks(scope: Scope, call: ast.Call) -> tuple[t.Function, ...]:
    """The signatures of the program's function that is passed first."""
    first = call.args[0] if call.args else None
    if isinstance(first, ast.Variable):
        found = scope.functions.get(normalized(first.name))
        if found:
            return found
    message = f'the first argument of "{call.name}" must be the name of a function of the program'
    return fail(message, call.span)


def _form(call: ast.Call) -> Form:
    form = FORMS[call.name]
    if not call.name.startswith("reduce_sum") or len(call.args) < 2:
        return form
    slices = _type(call.args[1])
    if not isinstance(slices, t.Array):
        fail(f'the second argument of "{call.name}" must be an array, not {slices}', call.span)
    if t.unwind(slices)[0] not in SLICED:
        fail(f'"{call.name}" can\'t take an array of {slices.element} apart', call.span)
    return _sum_over(t.Argument(slices, call.args[1].data_only))


def _with_slices_of(callback: t.Function, form: Form, call: ast.Call) -> Form:
    """`reduce_sum` promotes the array to what the callback takes."""
    if not call.name.startswith("reduce_sum") or not callback.arguments:
        return form
    return _sum_over(callback.arguments[0])


# --------------------------------------------------------------------------- callbacks


def can_stand_for(given: t.Function, wanted: t.Function) -> bool:
    """Whether the function `given` may be passed where `wanted` is called.

    It takes the very types it is called with, returns the very type that is expected, and needs
    data only where it is passed data; it neither draws random numbers nor changes the target.
    """
    return (
        given.suffix not in ("rng", "lp")
        and given.result == wanted.result
        and len(given.arguments) == len(wanted.arguments)
        and all(map(_accepts, given.arguments, wanted.arguments))
    )


def _accepts(given: t.Argument, wanted: t.Argument) -> bool:
    return given.type == wanted.type and (wanted.data_only or not given.data_only)


def _verify_callback(callback: t.Function, form: Form, call: ast.Call) -> None:
    """The function passed takes first what it is passed, and returns what is expected."""
    count = len(form.passed)
    leading = t.Function(callback.arguments[:count], callback.result, callback.suffix)
    wanted = t.Function(form.passed, form.returned)
    if not can_stand_for(leading, wanted):
        name = getattr(call.args[0], "name", "")
        kind = _IMPURE.get(suffix_of(name), "")
        fail(
            f'"{call.name}" can\'t call "{name}", which is {kind}{callback}',
            call.span,
            f"it must be a function ({', '.join(map(str, wanted.arguments))}, ...) "
            f"=> {wanted.result}",
        )


_IMPURE: Mapping[str, str] = MappingProxyType(
    {"rng": "a random number generator ", "lp": "a function that changes the target "}
)
