"""Functions with stated partial derivatives, to any order and for both modes of JAX."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
from jax.custom_derivatives import SymbolicZero

Array = Any
Function = Callable[..., Array]


def with_partials(function: Function, *partials: Function) -> Function:
    """`function(*args)` whose i-th partial derivative is `partials[i](value, *args)`.

    Arguments broadcast against each other. A partial derivative is computed only if its argument
    has a tangent, so shape parameters that are data cost nothing.
    """
    wrapped = jax.custom_jvp(function)

    def rule(primals: tuple[Array, ...], tangents: tuple[Array, ...]) -> tuple[Array, Array]:
        value = wrapped(*primals)
        moving = [
            partial(value, *primals) * tangent
            for partial, tangent in zip(partials, tangents, strict=True)
            if not isinstance(tangent, SymbolicZero)
        ]
        return value, sum(moving, jnp.zeros_like(value))

    wrapped.defjvp(rule, symbolic_zeros=True)
    return functools.wraps(function)(lambda *args: wrapped(*map(jnp.asarray, args)))


@functools.cache
def _derivative(function: Function, direction: tuple[float, ...]) -> Function:
    moving = [i for i, step in enumerate(direction) if step != 0.0]

    def derivative(*args: Array) -> Array:
        # Arguments that stay get no tangents: 0 times an infinite derivative would be NaN.
        def along(*moved: Array) -> Array:
            full = list(args)
            for i, value in zip(moving, moved, strict=True):
                full[i] = value
            return function(*full)

        some = tuple(args[i] for i in moving)
        steps = tuple(jnp.full_like(args[i], direction[i]) for i in moving)
        return jax.jvp(along, some, steps)[1]

    return with_partials(derivative, *forwards(derivative, len(direction)))


def forward(function: Function, direction: tuple[float, ...]) -> Function:
    """The derivative of `function` along `direction`, as a partial for `with_partials`.

    For functions computed by loops, which JAX can differentiate forwards only: every derivative
    is itself a function with partial derivatives, so no loop is ever transposed.
    """
    return lambda value, *args: _derivative(function, direction)(*args)


def forwards(function: Function, number: int) -> tuple[Function, ...]:
    """`forward` along each of `number` arguments."""
    return tuple(
        forward(function, tuple(float(i == j) for j in range(number))) for i in range(number)
    )
