"""Adaptive integration from one output time to the next, and its derivatives.

A problem says where to begin and how to make one step, as functions of theta, which holds all
traced arrays (initial state, times, arguments). Steps end exactly at
the output times. Step sizes are not differentiated: the derivatives are those of the method with
the steps it took.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from trustvi.stan.library._solver_arguments import Active, Arguments, differentiated

SAFETY, SHRINK, GROW = 0.9, 0.2, 8.0
FIRST_FRACTION = 1e-3
SMALLEST_FRACTION = 1e-13


@dataclass(frozen=True)
class Problem:
    """`start(theta)` is the first state; `step(theta, i, position, size, state)` goes on from
    `position` in the i-th interval between times by `size` (both as fractions of the interval) and
    returns the new state and one or two estimates of its error on a first axis. `values(state)` is
    the part that is asked for, to which the error belongs. `order` is the power of the step size in
    the error."""

    start: Callable[[Any], Any]
    step: Callable[[Any, Any, Any, Any, Any], tuple[Any, Any]]
    values: Callable[[Any], Any]
    times: Callable[[Any], Any]
    order: int


@dataclass(frozen=True)
class Control:
    relative: Any
    absolute: Any
    max_steps: Any

    def scale(self, values: Any) -> Any:
        """The tolerated error of each of `values`."""
        return jax.lax.stop_gradient(self.absolute + self.relative * jnp.abs(values))


class _Progress(NamedTuple):
    state: Any
    position: Any
    size: Any
    count: Any


def integrate(problem: Problem, control: Control, theta: Any) -> Any:
    """The values at all times but the first; NaN from where the method fails."""
    times = problem.times(theta)
    lengths = jax.lax.stop_gradient(jnp.diff(times))

    def interval(carry: tuple[Any, Any], row: tuple[Any, Any]) -> tuple[tuple[Any, Any], Any]:
        state, size = carry
        index, length = row
        unit = jnp.where(length > 0, length, size)  # two output times may be equal
        state, fraction = _advance(problem, control, theta, index, state, size / unit)
        return (state, fraction * unit), problem.values(state)

    start = (problem.start(theta), FIRST_FRACTION * lengths[0])
    return jax.lax.scan(interval, start, (jnp.arange(lengths.size), lengths))[1]


def _advance(
    problem: Problem, control: Control, theta: Any, index: Any, state: Any, size: Any
) -> tuple[Any, Any]:
    """The state at the end of interval `index`, and the size proposed for the next step."""

    def unfinished(now: _Progress) -> Any:
        able = (now.size > SMALLEST_FRACTION) & (now.count < control.max_steps)
        return (now.position < 1.0) & able

    def attempt(now: _Progress) -> _Progress:
        last = now.position + 1.0001 * now.size >= 1.0
        size = jnp.where(last, 1.0 - now.position, now.size)
        new, error = problem.step(theta, index, now.position, size, now.state)
        ratio = _error_ratio(problem, control, now.state, new, error)
        accepted = ratio <= 1.0
        state = jax.tree.map(lambda a, b: jnp.where(accepted, a, b), new, now.state)
        position = jnp.where(last, 1.0, now.position + size)
        return _Progress(
            state,
            jnp.where(accepted, position, now.position),
            _resize(problem.order, ratio, size, now.size),
            now.count + 1,
        )

    zero = jnp.zeros(())
    done = jax.lax.while_loop(unfinished, attempt, _Progress(state, zero, size, zero))
    failed = done.position < 1.0
    return jax.tree.map(lambda x: jnp.where(failed, jnp.nan, x), done.state), done.size


def _error_ratio(problem: Problem, control: Control, old: Any, new: Any, error: Any) -> Any:
    """The largest error in units of what is tolerated; infinite where it is not finite."""
    old, new = problem.values(old), problem.values(new)
    scaled = jnp.abs(error) / control.scale(jnp.maximum(jnp.abs(old), jnp.abs(new)))
    ratio = jax.lax.stop_gradient(jnp.max(_combined(scaled)))
    return jnp.where(jnp.isfinite(ratio), ratio, jnp.inf)


def _combined(errors: Any) -> Any:
    """One estimate, or of two, e and a lower order's f, e^2 / sqrt(e^2 + f^2 / 100): of the order
    of the product of e's and the step (Hairer, Norsett, Wanner, section II.10)."""
    if len(errors) == 1:
        return errors[0]
    high, low = errors
    return high * (high / jnp.maximum(jnp.hypot(high, 0.1 * low), 1e-300))


def _resize(order: int, ratio: Any, size: Any, proposed: Any) -> Any:
    """The next step's size. One cut short by the end of the interval doesn't bring it down."""
    factor = jnp.clip(SAFETY * jnp.maximum(ratio, 1e-12) ** (-1.0 / order), SHRINK, GROW)
    grown = jnp.maximum(size * factor, proposed)
    return jnp.where(ratio <= 1.0, grown, size * jnp.minimum(factor, SAFETY))


def with_sensitivities(problem: Problem, size: int) -> Problem:
    """The same problem for theta = (vector, others), carrying the derivatives with respect to all
    `size` entries of the vector.

    A state becomes (state, derivatives), with the entry of the vector as last axis. The errors of
    the derivatives are held to the same tolerance.
    """
    basis = jnp.eye(size)

    def start(theta: Any) -> Any:
        vector, others = theta
        slopes = jax.jacfwd(lambda vector: problem.start((vector, others)))(vector)
        return problem.start(theta), slopes

    def step(theta: Any, index: Any, position: Any, size: Any, state: Any) -> tuple[Any, Any]:
        vector, others = theta

        def one(vector: Any, state: Any) -> Any:
            return problem.step((vector, others), index, position, size, state)

        def push(direction: Any, change: Any) -> tuple[Any, Any]:
            return jax.jvp(one, (vector, state[0]), (direction, change))

        pushed = jax.vmap(push, in_axes=(0, -1), out_axes=((None, None), -1))
        (new, error), (changes, change_errors) = pushed(basis, state[1])
        return (new, changes), jnp.concatenate([error[..., None], change_errors], -1)

    def values(state: Any) -> Any:
        return jnp.concatenate([problem.values(state[0])[..., None], problem.values(state[1])], -1)

    return Problem(start, step, values, problem.times, problem.order)


def solution(
    build: Callable[[Callable[[Any], Any]], Problem], control: Control, arguments: Arguments
) -> Any:
    """`integrate`, with derivatives from the sensitivities.

    `build` makes a problem from a function that finds the arguments in theta.
    """

    def value(*leaves: Any) -> Any:
        return integrate(build(arguments.rebuild), control, leaves)

    def with_columns(active: Active) -> tuple[Any, Any]:
        problem = build(lambda theta: arguments.rebuild(active.merge(*theta)))
        extended = with_sensitivities(problem, active.vector.size)
        each = replace(control, absolute=control.absolute[..., None])  # as of the state, so of all
        both = integrate(extended, each, (active.vector, active.passive))
        return both[..., 0], both[..., 1:]

    return differentiated(value, with_columns, arguments.leaves)
