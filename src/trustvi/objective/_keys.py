"""Keys of random numbers, hashed by NumPy: JAX would compile functions to derive them."""

from __future__ import annotations

from typing import Any

import jax
import numpy as np


def make_key(*numbers: int) -> jax.Array:
    """The key that belongs to a seed, an iteration, a purpose, ...; none of them negative."""
    # Their count as well, because a SeedSequence takes missing numbers for zeros.
    words: Any = np.random.SeedSequence([len(numbers), *numbers]).generate_state(2, np.uint32)
    return jax.random.wrap_key_data(words)


def child_key(key: jax.Array, index: int) -> jax.Array:
    """A key as good as independent of `key` and of its children by other indices."""
    return make_key(*(int(word) for word in np.asarray(jax.random.key_data(key))), index)
