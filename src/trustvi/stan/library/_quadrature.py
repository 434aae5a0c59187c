"""Integrals of functions of one variable, by double exponential quadrature.

H. Takahasi, M. Mori, "Double exponential formulas for numerical integration", 1974. The variable
is replaced so that the integrand falls off double exponentially in t at both ends; there the
trapezoidal rule converges exponentially. With s = pi/2 sinh(t), a finite interval gets
x = (a + b)/2 + (b - a)/2 tanh(s), a half line x = a + exp(s). The spacing is halved until the
integral changes by less than the relative tolerance.
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
    Active,
    differentiated,
    known_or_traced,
    split,
)
from trustvi.stan.library._table import Convention, Row

Function = Callable[..., Any]

END = float(np.arcsinh(2 * 690.0 / np.pi))  # there exp(-s) is about 1e-300
NODES = 32
"""Nodes in a chunk: the first level has one chunk, every other doubles the number of chunks."""
LEAST_CHUNKS = 4
CHUNKS_OF_ZEROS = 64
"""An integrand that is zero at so many chunks of nodes is taken to be zero everywhere."""
MAX_CHUNKS = 2**14
FAR = 1e30
"""Beyond this, an integrand that overflows counts as zero."""


class _Nodes(NamedTuple):
    """Points, their distances from the nearer end (with sign), weights, and whether a value that
    is not finite there is an artefact of rounding."""

    x: Any
    complement: Any
    weight: Any
    extreme: Any


def _finite_interval(a: Any, b: Any, t: Any) -> _Nodes:
    s = jnp.pi / 2 * jnp.sinh(jnp.abs(t))
    small = jnp.exp(-2 * s)
    distance = (b - a) * small / (1 + small)
    weight = (b - a) * jnp.pi * jnp.cosh(t) * small / (1 + small) ** 2
    x = jnp.where(t < 0, a + distance, b - distance)
    complement = jnp.where(t < 0, -distance, distance)
    return _Nodes(x, complement, weight, (x == a) | (x == b))


def _half_line(start: Any, direction: float, t: Any) -> _Nodes:
    """From `start` to infinity in `direction`; as in Stan, nothing is said of distances."""
    s = jnp.pi / 2 * jnp.sinh(t)
    distance = jnp.exp(s)
    x = start + direction * distance
    extreme = (x == start) | (distance > FAR)
    return _Nodes(x, jnp.full_like(x, jnp.nan), jnp.pi / 2 * jnp.cosh(t) * distance, extreme)


def _chunk_places(chunk: Any) -> Any:
    """The places in t of a chunk: those of a level lie halfway between all before them."""
    before = jnp.where(chunk > 0, 1 << (63 - jax.lax.clz(jnp.maximum(chunk, 1))), 1)
    spacing = 2 * END / NODES / before
    first = jnp.where(chunk > 0, (chunk - before) * NODES + 0.5, 0.0)
    return -END + END / NODES + (first + np.arange(NODES)) * spacing


class _Sum(NamedTuple):
    total: Any
    absolute: Any
    chunk: Any
    before: Any
    error: Any


def _adaptive(integrand: Callable[[Any], Any], tolerance: Any) -> Any:
    """The integral over t of `integrand`, which takes and gives a chunk of values.

    NaN where it doesn't converge.
    """

    def unfinished(now: _Sum) -> Any:
        return (now.error > tolerance) & (now.chunk < MAX_CHUNKS)

    def add(now: _Sum) -> _Sum:
        values = integrand(_chunk_places(now.chunk))
        total = now.total + jnp.sum(values)
        absolute = now.absolute + jnp.sum(jnp.abs(jax.lax.stop_gradient(values)))
        chunks = now.chunk + 1
        estimate = jax.lax.stop_gradient(total / chunks)
        complete = chunks & (chunks - 1) == 0  # a power of two
        least = jnp.where(absolute > 0, LEAST_CHUNKS, CHUNKS_OF_ZEROS)
        norm = jnp.where(absolute > 0, absolute / chunks, 1.0)
        error = jnp.where(chunks < least, jnp.inf, jnp.abs(estimate - now.before) / norm)
        return _Sum(
            total,
            absolute,
            chunks,
            jnp.where(complete, estimate, now.before),
            jnp.where(complete, error, now.error),
        )

    zero = jnp.zeros(())
    start = _Sum(zero, zero, jnp.zeros((), int), zero, zero + jnp.inf)
    done = jax.lax.while_loop(unfinished, add, start)
    integral = done.total * (2 * END / NODES) / done.chunk
    return jnp.where(done.error <= tolerance, integral, jnp.nan)


@jax.custom_jvp
def _zero_is_flat(array: Any, values: Any) -> Any:
    """`array`, the values or a derivative of theirs, with 0 for NaN where a value has underflowed.

    So are its derivatives, of any order.
    """
    return jnp.where((values == 0) & jnp.isnan(array), 0.0, array)


@_zero_is_flat.defjvp
def _zero_is_flat_rule(primals: Any, tangents: Any) -> tuple[Any, Any]:
    return _zero_is_flat(*primals), _zero_is_flat(tangents[0], primals[1])


def _piece(f: Function, a: Any, b: Any, tolerance: Any) -> Any:
    """The integral from a to b, which does not have zero inside."""

    def integrand(t: Any) -> Any:
        if not is_traced(b) and np.isposinf(b):
            nodes = _half_line(a, 1.0, t)
        elif not is_traced(a) and np.isneginf(a):
            nodes = _half_line(b, -1.0, t)
        else:
            nodes = _finite_interval(a, b, t)
        values = nodes.weight * jax.vmap(f)(nodes.x, nodes.complement)
        values = _zero_is_flat(values, jax.lax.stop_gradient(values))
        artefact = nodes.extreme & ~jnp.isfinite(values)
        return jnp.where(artefact | (nodes.weight == 0), 0.0, values)

    return _adaptive(integrand, tolerance)


def _integral(f: Function, a: Any, b: Any, tolerance: Any) -> Any:
    """The integral from a to b, in two pieces if zero may lie between."""
    if is_traced(a) and is_traced(b):
        between = jnp.clip(0.0, a, b)
    elif is_traced(a):
        between = jnp.minimum(0.0, b) if np.isposinf(b) else jnp.clip(0.0, a, b)
    elif is_traced(b):
        between = jnp.maximum(0.0, a) if np.isneginf(a) else jnp.clip(0.0, a, b)
    elif a < 0 < b:
        between = np.zeros(())
    else:
        return _piece(f, a, b, tolerance)
    return _piece(f, a, between, tolerance) + _piece(f, between, b, tolerance)


def _check(a: Any, b: Any) -> None:
    if is_traced(a, b):
        return
    if np.isnan(a) or np.isnan(b):
        raise StanRuntimeError("integrate_1d: limits of integration must not be nan!")
    if a > b:
        raise StanRuntimeError(
            f"integrate_1d: Integration bounds lower limit ({a:g}) > upper limit ({b:g})"
        )
    if a == b and np.isinf(a):
        raise StanRuntimeError(f"integrate_1d: Integration bounds are both {a:g}")


def integrate_1d(f: Function, a: Any, b: Any, theta: Any, x_r: Any, x_i: Any, *control: Any) -> Any:
    """`integrate_1d(f, a, b, theta, x_r, x_i[, relative_tolerance])`.

    The integrand is f(x, xc, theta, x_r, x_i).
    """
    _check(a, b)
    tolerance = control[0] if control else np.sqrt(np.finfo(float).eps)
    arguments = split((a, b, theta, x_r, x_i))

    def value(*leaves: Any) -> Any:
        a, b, *rest = arguments.rebuild(leaves)

        def integrand(x: Any, complement: Any) -> Any:
            return jnp.asarray(f(x, complement, *rest), float)

        return _integral(integrand, a, b, tolerance)

    def with_columns(active: Active) -> tuple[Any, Any]:
        def push(entry: Any) -> tuple[Any, Any]:
            return jax.jvp(
                lambda vector: value(*active.merge(vector, active.passive)),
                (active.vector,),
                (entry,),
            )

        return jax.vmap(push, out_axes=(None, 0))(jnp.eye(active.vector.size))

    return differentiated(value, with_columns, arguments.leaves)


_SIGNATURE = (
    "((real, real, array[] real, data array[] real, data array[] int) => real,"
    " real, real, array[] real, data array[] real, data array[] int"
)

ROWS = (
    Row(
        "integrate_1d",
        spelled(f"{_SIGNATURE}) => real", f"{_SIGNATURE}, data real) => real"),
        Convention.EVENT,
        known_or_traced(integrate_1d),
    ),
)
