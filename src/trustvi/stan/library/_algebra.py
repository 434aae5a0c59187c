"""Roots of systems of equations: f(x, ...) = 0 from an initial guess.

`solve_newton` follows the Newton direction, shortened until |J^-1 f| goes down (the natural test of
P. Deuflhard, "Newton methods for nonlinear problems", 2004, section 3.3); `solve_powell` the dogleg
path between the steepest descent of |f| and the Newton step (M. J. D. Powell, "A hybrid method for
nonlinear equations", 1970). The root is differentiated by the implicit function theorem, and does
not depend on the guess.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from trustvi.stan._diagnostics import StanRuntimeError
from trustvi.stan.library._namespace import is_traced
from trustvi.stan.library._signatures import spelled
from trustvi.stan.library._solver_arguments import (
    from_vector,
    known_or_traced,
    split,
    to_vector,
)
from trustvi.stan.library._table import Convention, Row

Function = Callable[..., Any]

STEP_TOLERANCE = 1e-8
"""A last step relatively as small as this leaves an error of about its square."""
SMALLEST_SIZE = 1e-14


class _Search(NamedTuple):
    """Where a search stands: `size` is the damping factor or the radius of the next step."""

    x: Any
    value: Any
    size: Any
    last_step: Any
    count: Any


Proposal = Callable[[Any, Any, Any, Any], Any]
"""From (x, f, Jacobian, size) to a step."""


def _newton_step(x: Any, value: Any, jacobian: Any, size: Any) -> Any:
    return -size * jnp.linalg.solve(jacobian, value)


def _dogleg_step(x: Any, value: Any, jacobian: Any, size: Any) -> Any:
    """From x along the steepest descent of |f|^2 to its minimum there, then towards the Newton
    point, as far as `size` allows; lengths are measured with the Jacobian's column norms."""
    scale = _column_norms(jacobian)
    scaled = jacobian / scale
    newton = -jnp.linalg.solve(scaled, value)
    newton = jnp.where(jnp.all(jnp.isfinite(newton)), newton, 0.0)
    gradient = scaled.T @ value
    descent = -gradient * (gradient @ gradient) / jnp.sum((scaled @ gradient) ** 2)
    descent = jnp.where(jnp.all(jnp.isfinite(descent)), descent, 0.0)
    length = jnp.linalg.norm(descent)
    shortened = descent * (size / jnp.maximum(length, size))
    leg = newton - descent
    a, b, c = leg @ leg, descent @ leg, descent @ descent - size**2
    root = (-b + jnp.sqrt(jnp.maximum(b**2 - a * c, 0.0))) / jnp.where(a > 0, a, 1.0)
    bent = descent + jnp.clip(root, 0.0, 1.0) * leg
    return jnp.where(length >= size, shortened, bent) / scale


def _column_norms(jacobian: Any) -> Any:
    norms = jnp.linalg.norm(jacobian, axis=0)
    return jnp.where(norms > 0, norms, 1.0)


def _resize_damping(size: Any, accepted: Any, gain: Any) -> Any:
    return jnp.where(accepted, 1.0, size / 2)


def _resize_radius(size: Any, accepted: Any, gain: Any) -> Any:
    """`gain` is the reduction of |f|^2 as a part of what a linear f would give."""
    return jnp.where(gain > 0.75, 2 * size, jnp.where(gain < 0.25, size / 4, size))


class Method(NamedTuple):
    """`measure(jacobian, f)` is the vector whose length must go down."""

    step: Proposal
    measure: Callable[[Any, Any], Any]
    resize: Callable[[Any, Any, Any], Any]
    first_size: Callable[[Any, Any], Any]


NEWTON = Method(_newton_step, jnp.linalg.solve, _resize_damping, lambda x, jacobian: jnp.ones(()))
POWELL = Method(
    _dogleg_step,
    lambda jacobian, value: value,
    _resize_radius,
    lambda x, jacobian: 100.0 * jnp.maximum(jnp.linalg.norm(_column_norms(jacobian) * x), 1.0),
)


def _search(method: Method, f: Function, guess: Any, tolerance: Any, max_steps: Any) -> Any:
    """A root of `f` near `guess`; NaN where none is found."""
    jacobian = jax.jacfwd(f)

    def unfinished(now: _Search) -> Any:
        solved = (now.last_step <= STEP_TOLERANCE) & (jnp.linalg.norm(now.value) <= tolerance)
        exact = jnp.all(now.value == 0)
        able = (now.size > SMALLEST_SIZE) & (now.count < max_steps)
        return ~solved & ~exact & able

    def attempt(now: _Search) -> _Search:
        slopes = jacobian(now.x)
        step = method.step(now.x, now.value, slopes, now.size)
        new = now.x + step
        value = f(new)
        before, after, model = (
            jnp.sum(method.measure(slopes, each) ** 2)
            for each in (now.value, value, now.value + slopes @ step)
        )
        accepted = after < before
        gain = jnp.where(accepted, (before - after) / (before - model), -1.0)
        relative = jnp.max(jnp.abs(step) / (1e-3 + jnp.abs(new)))
        # At rounding level |f| may not go down any more: such a step is small and ends the search.
        small = relative <= STEP_TOLERANCE
        return _Search(
            jnp.where(accepted, new, now.x),
            jnp.where(accepted, value, now.value),
            method.resize(now.size, accepted, gain),
            jnp.where(accepted | small, relative, jnp.inf),
            now.count + 1,
        )

    start = _Search(
        guess,
        f(guess),
        method.first_size(guess, jacobian(guess)),
        jnp.full((), jnp.inf),
        jnp.zeros(()),
    )
    found = jax.lax.while_loop(unfinished, attempt, start)
    return jnp.where(jnp.linalg.norm(found.value) <= tolerance, found.x, jnp.nan)


def _root(
    name: str, f: Function, guess: Any, tolerance: Any, max_steps: Any, *arguments: Any
) -> Any:
    """The root, by the method that belongs to `name`."""
    method = NEWTON if "newton" in name else POWELL
    split_arguments = split(arguments)
    leaves = split_arguments.leaves

    def equations(x: Any, theta: Any) -> Any:
        value = jnp.asarray(f(x, *split_arguments.rebuild(from_vector(theta, leaves))), float)
        if value.shape != x.shape:
            raise StanRuntimeError(
                f"{name}: size of the algebraic system's output ({value.size}) and size of the"
                f" vector of unknowns, x, ({x.size}) must match in size"
            )
        return value

    @jax.custom_jvp
    def root(guess: Any, theta: Any) -> Any:
        return _search(method, lambda x: equations(x, theta), guess, tolerance, max_steps)

    @root.defjvp
    def rule(primals: Any, tangents: Any) -> tuple[Any, Any]:
        """dx = -(df/dx)^-1 df/dtheta dtheta."""
        x = root(*primals)
        _, theta = primals
        pushed = jax.jvp(lambda theta: equations(x, theta), (theta,), tangents[1:])[1]
        return x, -jnp.linalg.solve(jax.jacfwd(equations)(x, theta), pushed)

    return root(jnp.asarray(guess, float), to_vector(leaves))


def _check(name: str, guess: Any) -> None:
    """What Stan demands of the guess, as far as it is known now."""
    if guess.size == 0:
        raise StanRuntimeError(f"{name}: initial guess has size 0, but must have a non-zero size")
    if not is_traced(guess) and not np.all(np.isfinite(guess)):
        raise StanRuntimeError(f"{name}: initial guess must be finite!")


def _solver(name: str) -> Function:
    """`solve_*(f, guess, ...)`, and `solve_*_tol` with three control arguments before the
    function's own: a tolerance of steps, one of |f|, and the largest number of steps."""
    tolerances = 3 if name.endswith("_tol") else 0

    def solver(f: Function, guess: Any, *arguments: Any) -> Any:
        control, own = arguments[:tolerances] or DEFAULTS, arguments[tolerances:]
        _check(name, guess)
        return _root(name, f, guess, control[1], control[2], *own)

    return known_or_traced(solver)


def _old_solver(name: str) -> Function:
    """`algebra_solver*(f, guess, theta, x_r, x_i[, rel_tol, f_tol, max_steps])`."""

    def solver(f: Function, guess: Any, theta: Any, x_r: Any, x_i: Any, *control: Any) -> Any:
        _, tolerance, max_steps = control or DEFAULTS
        _check(name, guess)
        return _root(name, f, guess, tolerance, max_steps, theta, x_r, x_i)

    return known_or_traced(solver)


DEFAULTS = (STEP_TOLERANCE, 1e-6, 200)
"""Stan's tolerance of |f| and largest number of steps. Steps are always made small here."""

_OLD = (
    "((vector, vector, data array[] real, data array[] int) => vector,"
    " vector, vector, data array[] real, data array[] int"
)
_OLD_SIGNATURES = spelled(
    f"{_OLD}) => vector", f"{_OLD}, data real, data real, data real) => vector"
)

OLD_NAMES = ("algebra_solver", "algebra_solver_newton")
NAMES = ("solve_newton", "solve_newton_tol", "solve_powell", "solve_powell_tol")

ROWS = (
    *(Row(name, _OLD_SIGNATURES, Convention.EVENT, _old_solver(name)) for name in OLD_NAMES),
    *(Row(name, spelled(), Convention.EVENT, _solver(name)) for name in NAMES),
)
