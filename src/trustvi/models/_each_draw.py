"""Functions of one draw, compiled once for as many draws as there may be."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Float

# Draws that are evaluated at once: enough for SIMD, little memory.
BATCH = 64


class EachDraw:
    """`function` of a vector of reals, and a key if asked for, to a structure of arrays.

    Batches have one size, whatever the number of draws, so that XLA compiles once.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self._batch = jax.jit(jax.vmap(function))

    def __call__(self, theta_unc: Float[np.ndarray, "dim draws"], seed: int | None = None) -> Any:
        """The same structure, the draws on the first axis of its arrays.

        With `seed` each draw has a key of its own.
        """
        draws = theta_unc.shape[1]
        rows = np.pad(theta_unc.T, ((0, -draws % BATCH), (0, 0)), mode="edge")
        parts = []
        for at in range(0, len(rows), BATCH):
            keys = (
                []
                if seed is None
                else [jax.random.split(jax.random.fold_in(jax.random.key(seed), at), BATCH)]
            )
            found = self._batch(jnp.asarray(rows[at : at + BATCH]), *keys)
            parts.append(jax.tree.map(np.asarray, found))
        return jax.tree.map(lambda *pieces: np.concatenate(pieces)[:draws], *parts)
