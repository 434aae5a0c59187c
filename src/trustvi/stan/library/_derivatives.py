"""Functions with stated partial derivatives, to any order and for both modes of JAX."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.custom_derivatives import SymbolicZero

Array = Any
Function = Callable[..., Any]


def with_partials(function: Function, *partials: Function | None) -> Function:
    """`function(*args)` whose i-th partial derivative is `partials[i](value, *args)`.

    Arguments broadcast against each other. A partial derivative is computed only if its argument
    has a tangent, so shape parameters that are data cost nothing. `None` stands for one that JAX
    finds by differentiating `function` forwards, together with the value: for functions computed
    by loops, which JAX can differentiate forwards only and which should run once for everything.
    """
    wrapped = jax.custom_jvp(function)

    def rule(primals: tuple[Array, ...], tangents: tuple[Array, ...]) -> tuple[Array, Array]:
        moving = _moving(tangents)
        looped = tuple(i for i in moving if partials[i] is None)
        value, slopes = _with_slopes(function, looped)(*primals) if looped else (None, ())
        value = wrapped(*primals) if value is None else value
        total = jnp.zeros_like(value)
        for i, slope in zip(looped, slopes, strict=True):
            total = total + slope * tangents[i]
        for i in moving:
            partial = partials[i]
            if partial is not None:
                total = total + partial(value, *primals) * tangents[i]
        return value, total

    wrapped.defjvp(rule, symbolic_zeros=True)
    return functools.wraps(function)(lambda *args: wrapped(*map(jnp.asarray, args)))


def slope_along(function: Function, place: int) -> Function:
    """The partial derivative of `function` in one argument, by forward differentiation."""
    return lambda *args: _with_slopes(function, (place,))(*args)[1][0]


def _moving(tangents: tuple[Array, ...]) -> tuple[int, ...]:
    return tuple(i for i, tangent in enumerate(tangents) if not isinstance(tangent, SymbolicZero))


@functools.cache
def _with_slopes(function: Function, moving: tuple[int, ...]) -> Function:
    """args -> the value, and its partial derivatives in the arguments `moving` on a first axis.

    Its own derivatives are found in the same way, so that no loop is ever transposed.
    """
    forwards = functools.partial(_forwards, function, moving)
    wrapped = jax.custom_jvp(forwards)

    def rule(primals: tuple[Array, ...], tangents: tuple[Array, ...]) -> tuple[Any, Any]:
        places = _moving(tangents)
        value, slopes = _with_slopes(forwards, places)(*primals)
        steps = [tangents[place] for place in places]

        def along(slope: Array) -> Array:
            return sum(each * step for each, step in zip(slope, steps, strict=True))

        return value, jax.tree.map(along, slopes)

    wrapped.defjvp(rule, symbolic_zeros=True)
    return wrapped


def _forwards(function: Function, moving: tuple[int, ...], *args: Array) -> tuple[Any, Any]:
    """The value and its slopes by one forward differentiation along all directions.

    Arguments that stay get no tangents: 0 times an infinite derivative would be NaN.
    """

    def of_moving(*moved: Array) -> Array:
        given = dict(zip(moving, moved, strict=True))
        return function(*(given.get(i, arg) for i, arg in enumerate(args)))

    some = tuple(args[i] for i in moving)

    def along(direction: Array) -> tuple[Any, Any]:
        steps = tuple(
            jnp.full_like(arg, 1.0) * step for arg, step in zip(some, direction, strict=True)
        )
        return jax.jvp(of_moving, some, steps)

    if len(moving) == 1:
        value, slope = along(np.ones(1))
        return value, jax.tree.map(lambda each: each[None], slope)
    return jax.vmap(along, out_axes=(None, 0))(np.eye(len(moving)))
