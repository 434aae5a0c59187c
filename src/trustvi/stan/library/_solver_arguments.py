"""What solvers that take a user's function do with its arguments.

The arguments are tuples of arrays (or of tuples of arrays). Those that are known now stay as they
are, so that the user's function can use them as sizes, indices and branch conditions. Of the
traced ones only those that are being differentiated are laid end to end in one real vector, with
one column of derivatives for each of its entries.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax.custom_derivatives import SymbolicZero

from trustvi.stan.library._namespace import is_traced

Leaves = Sequence[Any]


class Arguments(NamedTuple):
    """The traced arrays of a tree, and the way back to the tree."""

    leaves: tuple[Any, ...]
    rebuild: Callable[[Leaves], Any]


def split(tree: Any) -> Arguments:
    """Take the traced arrays out of `tree`."""
    everything, structure = jax.tree.flatten(tree)

    def rebuild(leaves: Leaves) -> Any:
        traced = iter(leaves)
        return jax.tree.unflatten(
            structure, [next(traced) if is_traced(each) else each for each in everything]
        )

    return Arguments(tuple(each for each in everything if is_traced(each)), rebuild)


def to_vector(leaves: Leaves) -> Any:
    """Arrays laid end to end; of complex ones the real and the imaginary parts."""
    pieces = [_real_vector(leaf) for leaf in leaves]
    return jnp.concatenate(pieces) if pieces else jnp.zeros(0)


def from_vector(vector: Any, like: Leaves) -> list[Any]:
    """The inverse of `to_vector`, for arrays with the shapes and dtypes of `like`."""
    arrays, start = [], 0
    for leaf in like:
        stop = start + leaf.size * (2 if jnp.iscomplexobj(leaf) else 1)
        arrays.append(_from_real_vector(vector[start:stop], leaf.shape, leaf.dtype))
        start = stop
    return arrays


def _real_vector(leaf: Any) -> Any:
    if jnp.iscomplexobj(leaf):
        leaf = jnp.stack([leaf.real, leaf.imag])
    return leaf.astype(float).reshape(-1)


def _from_real_vector(piece: Any, shape: Sequence[int], dtype: Any) -> Any:
    if jnp.issubdtype(dtype, jnp.complexfloating):
        real, imaginary = piece.reshape(2, *shape)
        return real + 1j * imaginary
    if jnp.issubdtype(dtype, jnp.floating):
        return piece.reshape(shape)
    return jnp.round(piece.reshape(shape)).astype(dtype)


class Active(NamedTuple):
    """Leaves of which some are differentiated: these as a vector, and the others."""

    vector: Any
    passive: tuple[Any, ...]
    merge: Callable[[Any, Leaves], list[Any]]
    """From the vector and the passive leaves to all of them."""


def _activated(leaves: Leaves, chosen: Sequence[bool]) -> Active:
    active = [leaf for leaf, is_active in zip(leaves, chosen, strict=True) if is_active]

    def merge(vector: Any, passive: Leaves) -> list[Any]:
        moving, still = iter(from_vector(vector, active)), iter(passive)
        return [next(moving) if is_active else next(still) for is_active in chosen]

    others = tuple(leaf for leaf, is_active in zip(leaves, chosen, strict=True) if not is_active)
    return Active(to_vector(active), others, merge)


def differentiated(
    value: Callable[..., Any], with_columns: Callable[[Active], tuple[Any, Any]], leaves: Leaves
) -> Any:
    """`value(*leaves)`, differentiated by means of `with_columns`.

    That gives the value and, on a further last axis, its derivatives with respect to each entry of
    the active vector. These don't depend on the direction of differentiation, so that they serve
    forwards and backwards; where they are computed by operations that JAX differentiates forwards,
    so are they themselves.
    """

    @jax.custom_jvp
    def solve(*leaves: Any) -> Any:
        return _mapped_in_front(value(*leaves))

    def rule(primals: Any, tangents: Any) -> tuple[Any, Any]:
        chosen = [
            not isinstance(tangent, SymbolicZero) and jnp.issubdtype(primal.dtype, jnp.inexact)
            for primal, tangent in zip(primals, tangents, strict=True)
        ]
        if not any(chosen):
            result = solve(*primals)
            return result, jnp.zeros_like(result)
        moving = [tangent for tangent, each in zip(tangents, chosen, strict=True) if each]
        result, columns = with_columns(_activated(primals, chosen))
        return _mapped_in_front(result), columns @ to_vector(moving)

    solve.defjvp(rule, symbolic_zeros=True)
    return solve(*leaves)


def _mapped_in_front(array: Any) -> Any:
    """`array`, with the axis that `vmap` may have given it in front of the others.

    Where a compiled function is differentiated, JAX takes for granted that a custom rule's value
    and the function's own have that axis at the same place. A reshape moves it to the front.
    """
    return array.reshape(1, *array.shape).reshape(array.shape)


def known_or_traced(function: Callable[..., Any]) -> Callable[..., Any]:
    """`function(user, *arguments)`, made to give NumPy arrays when all arguments are known now."""

    def solver(user: Callable[..., Any], *arguments: Any) -> Any:
        traced = is_traced(*jax.tree.leaves(arguments))
        result = function(user, *arguments)
        return result if traced else jax.tree.map(np.asarray, result)

    return solver
