"""Solvers of ordinary and of differential-algebraic equations.

`ode_rk45`, `ode_adams` and `ode_ckrk` (not stiff) are explicit Runge-Kutta methods of order 5,
`ode_bdf` and `dae` (stiff) an implicit one of order 5. All take the user's function on event
arrays; arguments after the fixed ones are handed on to it.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from trustvi.stan._diagnostics import StanRuntimeError
from trustvi.stan.library._namespace import is_traced
from trustvi.stan.library._ode_driver import Control, Problem, solution
from trustvi.stan.library._ode_explicit import (
    CASH_KARP,
    DORMAND_PRINCE,
    ORDER_8,
    Tableau,
    explicit_step,
)
from trustvi.stan.library._ode_implicit import implicit_step
from trustvi.stan.library._signatures import spelled
from trustvi.stan.library._solver_arguments import known_or_traced, split
from trustvi.stan.library._table import Convention, Row

Function = Callable[..., Any]
TIGHT_TOLERANCE = 1e-8


@dataclass(frozen=True)
class Method:
    """`problem` goes from (f, control, parts) to a problem; parts(theta) is (first state, times,
    arguments). `control` is what keeps the method's errors within the tolerances asked for."""

    problem: Callable[[Function, Control, Function], Problem]
    control: Callable[[Control], Control]


def _tightened(control: Control) -> Control:
    """A tenth of the tolerances, since errors add up over the steps."""
    return Control(0.1 * control.relative, 0.1 * control.absolute, control.max_steps)


def _radau_control(control: Control) -> Control:
    """The estimated error is of order 4 in the step size, that of the result of order 6.

    So the estimate is held to tolerance^(4/6) / 10, as in Hairer and Wanner's program RADAU5.
    """
    relative = 0.1 * control.relative ** (2 / 3)
    return Control(relative, relative * control.absolute / control.relative, control.max_steps)


def _explicit(tableau: Tableau, system: Function, control: Control, parts: Function) -> Problem:
    chosen = ORDER_8 if _is_tight(control) else tableau

    def slope(theta: Any, t: Any, y: Any) -> Any:
        return jnp.asarray(system(t, y, *parts(theta)[2]), float)

    def start(theta: Any) -> Any:
        y, times, _ = parts(theta)
        return y, slope(theta, times[0], y)

    def step(theta: Any, index: Any, position: Any, size: Any, state: Any) -> tuple[Any, Any]:
        t, h = _place(parts(theta)[1], index, position, size)
        return explicit_step(chosen, functools.partial(slope, theta), t, h, state)

    return Problem(start, step, lambda state: state[0], lambda theta: parts(theta)[1], chosen.order)


def _is_tight(control: Control) -> bool:
    """Whether steps of order 8 are so much longer that they are worth their twelve stages."""
    tolerances = (control.relative, control.absolute)
    return not is_traced(*tolerances) and all(
        np.max(each) <= TIGHT_TOLERANCE for each in tolerances
    )


def _place(times: Any, index: Any, position: Any, size: Any) -> tuple[Any, Any]:
    """The time at `position` in the interval, and the length of a step over `size` of it."""
    length = times[index + 1] - times[index]
    return times[index] + position * length, size * length


def _implicit(system: Function, control: Control, parts: Function) -> Problem:
    """The equation y' = f(t, y) as f(t, y) - y' = 0."""

    def residual(theta: Any, t: Any, y: Any, slope: Any) -> Any:
        return slope - jnp.asarray(system(t, y, *parts(theta)[2]), float)

    def start(theta: Any) -> Any:
        y, times, arguments = parts(theta)
        return y, jnp.asarray(system(times[0], y, *arguments), float)

    return _radau(residual, start, control, parts)


def _algebraic(system: Function, control: Control, parts: Function) -> Problem:
    """The equation F(t, y, y') = 0; the first state is the pair (y, y')."""

    def residual(theta: Any, t: Any, y: Any, slope: Any) -> Any:
        return jnp.asarray(system(t, y, slope, *parts(theta)[2]), float)

    return _radau(residual, lambda theta: parts(theta)[0], control, parts)


def _radau(residual: Function, start: Function, control: Control, parts: Function) -> Problem:
    def step(theta: Any, index: Any, position: Any, size: Any, state: Any) -> tuple[Any, Any]:
        t, h = _place(parts(theta)[1], index, position, size)
        return implicit_step(residual, theta, t, h, state, control.scale)

    return Problem(start, step, lambda state: state[0], lambda theta: parts(theta)[1], 4)


def _solve(
    method: Method, system: Function, control: Control, first: Any, t0: Any, ts: Any, *args: Any
) -> Any:
    control = method.control(control)

    def build(find: Function) -> Problem:
        def parts(theta: Any) -> tuple[Any, Any, Any]:
            first, t0, ts, arguments = find(theta)
            times = jnp.concatenate([jnp.reshape(t0, 1), jnp.asarray(ts)]).astype(float)
            return jax.tree.map(lambda x: jnp.asarray(x, float), first), times, arguments

        return method.problem(system, control, parts)

    return solution(build, control, split((first, t0, ts, args)))


def _control(name: str, relative: Any, absolute: Any, max_steps: Any) -> Control:
    for what, value in (
        ("relative_tolerance", relative),
        ("absolute_tolerance", absolute),
        ("max_num_steps", max_steps),
    ):
        if not is_traced(value) and not np.all((np.asarray(value) > 0) & np.isfinite(value)):
            raise StanRuntimeError(f"{name}: {what} is {value}, but must be positive finite!")
    return Control(np.asarray(relative, float), np.asarray(absolute, float), np.float64(max_steps))


def _check(name: str, first: Any, t0: Any, ts: Any) -> None:
    """What Stan demands of the initial state and the times, as far as they are known now."""
    if ts.size == 0:
        raise StanRuntimeError(f"{name}: times has size 0, but must have a non-zero size")
    for what, value in (("initial state", first), ("initial time", t0), ("times", ts)):
        if not is_traced(value) and not np.all(np.isfinite(value)):
            raise StanRuntimeError(f"{name}: {what} must be finite!")
    if not is_traced(ts) and np.any(np.diff(ts) < 0):
        raise StanRuntimeError(f"{name}: times is not a valid sorted vector.")
    if not is_traced(t0, ts) and not t0 < ts[0]:
        raise StanRuntimeError(f"{name}: initial time is {t0:g}, but must be less than {ts[0]:g}")


Defaults = tuple[float, float, float]


def _with_defaults(name: str, method: Method, defaults: Defaults) -> Function:
    """`ode_*(f, y0, t0, ts, ...)`."""

    def solver(f: Function, y0: Any, t0: Any, ts: Any, *arguments: Any) -> Any:
        _check(name, y0, t0, ts)
        return _solve(method, f, _control(name, *defaults), y0, t0, ts, *arguments)

    return known_or_traced(solver)


def _with_tolerances(name: str, method: Method) -> Function:
    """`ode_*_tol(f, y0, t0, ts, relative_tolerance, absolute_tolerance, max_num_steps, ...)`."""

    def solver(
        f: Function, y0: Any, t0: Any, ts: Any, rel: Any, abs: Any, steps: Any, *arguments: Any
    ) -> Any:
        _check(name, y0, t0, ts)
        return _solve(method, f, _control(name, rel, abs, steps), y0, t0, ts, *arguments)

    return known_or_traced(solver)


def _old(name: str, method: Method, defaults: Defaults) -> Function:
    """`integrate_ode_*(f, y0, t0, ts, theta, x_r, x_i[, rel_tol, abs_tol, max_num_steps])`."""

    def solver(
        f: Function, y0: Any, t0: Any, ts: Any, theta: Any, x_r: Any, x_i: Any, *control: Any
    ) -> Any:
        _check(name, y0, t0, ts)
        chosen = _control(name, *(control or defaults))
        return _solve(method, f, chosen, y0, t0, ts, theta, x_r, x_i)

    return known_or_traced(solver)


def _adjoint(
    f: Function,
    y0: Any,
    t0: Any,
    ts: Any,
    relative: Any,
    absolute: Any,
    relative_back: Any,
    absolute_back: Any,
    relative_quadrature: Any,
    absolute_quadrature: Any,
    max_steps: Any,
    checkpoint_steps: Any,
    interpolation: Any,
    solver_forward: Any,
    solver_backward: Any,
    *arguments: Any,
) -> Any:
    """`ode_adjoint_tol_ctl`: the solution and, by the same method, its sensitivities.

    The forward tolerances hold for both, `solver_forward` is 1 for Adams and 2 for BDF; what
    controls the backward integration has no counterpart here.
    """
    name = "ode_adjoint_tol_ctl"
    _check(name, y0, t0, ts)
    method = METHODS["adams" if int(solver_forward) == 1 else "bdf"]
    control = _control(name, relative, absolute, max_steps)
    return _solve(method, f, control, y0, t0, ts, *arguments)


def _dae(name: str) -> Function:
    """`dae(F, yy0, yp0, t0, ts, ...)`; `dae_tol` has the tolerances before the arguments."""

    def solver(f: Function, yy0: Any, yp0: Any, t0: Any, ts: Any, *arguments: Any) -> Any:
        _check(name, yy0, t0, ts)
        taken = 3 if name == "dae_tol" else 0
        control = _control(name, *(arguments[:taken] or DEFAULTS["dae"]))
        return _solve(METHODS["dae"], f, control, (yy0, yp0), t0, ts, *arguments[taken:])

    return known_or_traced(solver)


METHODS: dict[str, Method] = {
    "rk45": Method(functools.partial(_explicit, DORMAND_PRINCE), _tightened),
    "ckrk": Method(functools.partial(_explicit, CASH_KARP), _tightened),
    "adams": Method(functools.partial(_explicit, DORMAND_PRINCE), _tightened),
    "bdf": Method(_implicit, _radau_control),
    "dae": Method(_algebraic, _radau_control),
}
LOOSE: Defaults = (1e-6, 1e-6, 1e6)
TIGHT: Defaults = (1e-10, 1e-10, 1e8)
DEFAULTS: dict[str, Defaults] = {
    "rk45": LOOSE,
    "ckrk": LOOSE,
    "adams": TIGHT,
    "bdf": TIGHT,
    "dae": TIGHT,
}
"""Stan's relative and absolute tolerance and largest number of steps, by method."""

_OLD_SYSTEM = (
    "(real, array[] real, array[] real, data array[] real, data array[] int) => array[] real"
)
_OLD = (
    f"({_OLD_SYSTEM}, array[] real, real, array[] real, array[] real,"
    " data array[] real, data array[] int"
)
_OLD_SIGNATURES = spelled(
    f"{_OLD}) => array[,] real", f"{_OLD}, data real, data real, data real) => array[,] real"
)


def _rows() -> tuple[Row, ...]:
    """Functions with arguments of any number and type have no signatures to list."""
    rows = [Row("ode_adjoint_tol_ctl", spelled(), Convention.EVENT, known_or_traced(_adjoint))]
    for key, method in METHODS.items():
        if key == "dae":
            continue
        name = f"ode_{key}"
        solver = _with_defaults(name, method, DEFAULTS[key])
        rows.append(Row(name, spelled(), Convention.EVENT, solver))
        name = f"ode_{key}_tol"
        rows.append(Row(name, spelled(), Convention.EVENT, _with_tolerances(name, method)))
    for key in ("rk45", "bdf", "adams"):
        name = f"integrate_ode_{key}"
        solver = _old(name, METHODS[key], DEFAULTS[key])
        rows.append(Row(name, _OLD_SIGNATURES, Convention.EVENT, solver))
    without_control = spelled(f"{_OLD}) => array[,] real")
    solver = _old("integrate_ode", METHODS["rk45"], LOOSE)
    rows.append(Row("integrate_ode", without_control, Convention.EVENT, solver))
    rows += [Row(name, spelled(), Convention.EVENT, _dae(name)) for name in ("dae", "dae_tol")]
    return tuple(rows)


ROWS = _rows()
