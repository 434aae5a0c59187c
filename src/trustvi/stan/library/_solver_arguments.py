"""What solvers that take a user's function do with its arguments.

The arguments are tuples of arrays (or of tuples of arrays). Those that are known now stay as they
are, so that the user's function can use them as sizes, indices and branch conditions; the traced
ones are laid end to end in one real vector, with respect to which the solvers are differentiated.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from trustvi.stan.library._namespace import is_traced


class Packed(NamedTuple):
    """The traced entries of a tree of arrays as one vector, and the way back."""

    vector: Any
    rebuild: Callable[[Any], Any]


def pack(tree: Any) -> Packed:
    """Lay the traced arrays of `tree` end to end."""
    leaves, structure = jax.tree.flatten(tree)
    pieces = [_real_vector(leaf) for leaf in leaves if is_traced(leaf)]
    vector = jnp.concatenate(pieces) if pieces else jnp.zeros(0)

    def rebuild(packed: Any) -> Any:
        rebuilt, start = [], 0
        for leaf in leaves:
            if is_traced(leaf):
                stop = start + leaf.size * (2 if jnp.iscomplexobj(leaf) else 1)
                rebuilt.append(_from_real_vector(packed[start:stop], leaf.shape, leaf.dtype))
                start = stop
            else:
                rebuilt.append(leaf)
        return jax.tree.unflatten(structure, rebuilt)

    return Packed(vector, rebuild)


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


def known_or_traced(function: Callable[..., Any]) -> Callable[..., Any]:
    """`function(user, *arguments)`, made to give NumPy arrays when all arguments are known now."""

    def solver(user: Callable[..., Any], *arguments: Any) -> Any:
        traced = is_traced(*jax.tree.leaves(arguments))
        result = function(user, *arguments)
        return result if traced else jax.tree.map(np.asarray, result)

    return solver
