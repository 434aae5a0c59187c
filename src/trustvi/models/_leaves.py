"""Named arrays of unconstrained reals, laid one behind the other in a vector."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import jax.numpy as jnp
import numpy as np
from jaxtyping import Float

Either = Any  # NumPy's arrays, or JAX's while it traces


class Leaf(NamedTuple):
    """One array among the parameters."""

    name: str
    shape: tuple[int, ...]

    @property
    def size(self) -> int:
        return math.prod(self.shape)

    def element_names(self) -> list[str]:
        """theta.1.2, counted from 1; a scalar keeps its name."""
        if not self.shape:
            return [self.name]
        return [
            ".".join([self.name, *(str(i + 1) for i in index)]) for index in np.ndindex(self.shape)
        ]


class Leaves(tuple[Leaf, ...]):
    """The arrays in their order."""

    __slots__ = ()

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Leaves:
        """The layout of `values`, as they are ordered."""
        return cls(Leaf(name, tuple(np.shape(value))) for name, value in values.items())

    @property
    def size(self) -> int:
        return sum(leaf.size for leaf in self)

    def element_names(self) -> list[str]:
        return [name for leaf in self for name in leaf.element_names()]

    def split(self, theta: Float[Either, "dim *draws"]) -> list[Either]:
        """The arrays of a vector; axes behind its first stay behind theirs."""
        ends = np.cumsum([leaf.size for leaf in self])[:-1]
        cut = np.split if isinstance(theta, np.ndarray) else jnp.split
        return [
            piece.reshape(leaf.shape + theta.shape[1:])
            for leaf, piece in zip(self, cut(theta, ends), strict=True)
        ]

    def named(self, theta: Float[Either, "dim *draws"]) -> dict[str, Either]:
        """The arrays of a vector by name."""
        return dict(zip([leaf.name for leaf in self], self.split(theta), strict=True))

    def join(self, values: Sequence[Any]) -> Float[np.ndarray, " dim"]:
        """The vector of arrays given in the layout's order."""
        return np.concatenate([np.ravel(np.asarray(value, np.float64)) for value in values])
