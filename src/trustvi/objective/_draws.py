"""Base draws: standard normals in chunks, iid, in mirrored pairs, or quasi-random.

Draw j of every chunk belongs to *replicate* j, and replicates are independent of each other
whatever the kind, so the spread of their means is an honest measure of error. With mirrored
draws the replicates j and j + chunk/2 form one. Quasi-random draws give each replicate a
Sobol sequence of its own, shifted at random digit by digit (Owen 2000, "Monte Carlo, quasi-Monte
Carlo, and randomized quasi-Monte Carlo"); chunk c holds its c-th points.
"""

from __future__ import annotations

import enum
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, UInt32

# Sobol sequences lose to iid draws in error long before tables end (21,201 dimensions); their
# direction numbers also cost memory and start-up time in proportion to the dimension.
MAX_SOBOL_DIM = 4096
# 2^13 points for each of at least 8 replicates: more draws than any preset asks for.
SOBOL_BITS = 13


class DrawKind(enum.Enum):
    """How base draws are generated."""

    IID = "iid"
    MIRRORED = "mirrored"
    SOBOL = "sobol"

    def replicates(self, chunk: int) -> int:
        """The number of independent groups in a chunk."""
        return chunk // 2 if self is DrawKind.MIRRORED else chunk


Draw = Callable[[Array, Array], Float[Array, "dim chunk"]]


def base_draws(kind: DrawKind, dim: int, chunk: int) -> Draw:
    """A function of (key, chunk number) that returns the chunk's standard normals."""
    if kind is DrawKind.SOBOL and dim <= MAX_SOBOL_DIM:
        return _sobol(dim, chunk)
    if kind is DrawKind.IID:
        return lambda key, index: _normal(jax.random.fold_in(key, index), dim, chunk)
    return lambda key, index: _mirror(_normal(jax.random.fold_in(key, index), dim, chunk // 2))


def effective_kind(kind: DrawKind, dim: int) -> DrawKind:
    """The kind really used: mirrored pairs where the dimension is too high for Sobol."""
    return DrawKind.MIRRORED if kind is DrawKind.SOBOL and dim > MAX_SOBOL_DIM else kind


def _normal(key: Array, dim: int, chunk: int) -> Float[Array, "dim chunk"]:
    return jax.random.normal(key, (dim, chunk), dtype=jnp.float64)


def _mirror(half: Float[Array, "dim half"]) -> Float[Array, "dim chunk"]:
    return jnp.concatenate([half, -half], axis=1)


def _sobol(dim: int, chunk: int) -> Draw:
    directions = sobol_directions(dim)

    def draw(key: Array, index: Array) -> Float[Array, "dim chunk"]:
        shifts = jax.random.bits(key, (dim, chunk), jnp.uint32)
        digits = (index.astype(jnp.uint32) >> np.arange(SOBOL_BITS, dtype=np.uint32)) & 1
        chosen = jnp.where(digits.astype(bool), directions, jnp.uint32(0))
        point = jax.lax.reduce(chosen, np.uint32(0), jax.lax.bitwise_xor, (1,))
        uniform = ((point[:, None] ^ shifts).astype(jnp.float64) + 0.5) / 2.0**32
        return jax.scipy.special.ndtri(uniform)

    return draw


@lru_cache(maxsize=8)
def sobol_directions(dim: int) -> UInt32[np.ndarray, "dim bits"]:
    """Direction numbers of Joe and Kuo (2008, "Constructing Sobol sequences with better
    two-dimensional projections"): sobol.npz holds the first MAX_SOBOL_DIM rows of SciPy's table.

    Reading them off `scipy.stats.qmc` instead would import all of scipy.stats, a third of a second.
    """
    with np.load(Path(__file__).with_name("sobol.npz")) as table:
        odd = table["odd"][:dim].astype(np.uint32)
    return odd << (31 - np.arange(SOBOL_BITS, dtype=np.uint32))
