"""Running sums of known and of traced arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
from jax import lax

from trustvi.stan.library._namespace import is_traced


def cumulative_sum(array: Any, axis: int, reverse: bool = False) -> Any:
    """Sums of the elements up to each along an axis, or with `reverse` from each on.

    Between barriers: XLA's CPU compiler draws zeros that surround the elements, as the derivative
    of a slice puts them there, into the sums, and gets the middle of up to 15 elements wrong if
    their number is odd.
    """
    axis = axis % array.ndim
    if is_traced(array):
        sums = lax.cumsum(lax.optimization_barrier(array), axis=axis, reverse=reverse)
        return lax.optimization_barrier(sums)
    if reverse:
        return np.flip(np.cumsum(np.flip(array, axis), axis=axis), axis)
    return np.cumsum(array, axis=axis)
