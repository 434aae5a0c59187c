"""Products of consecutive numbers, and binomial coefficients of integers."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import scipy.special

from trustvi.stan.library._checks import require
from trustvi.stan.library._namespace import is_traced, namespace, special

INT_MAX = 2**31 - 1
"""Stan's integers have 32 bits."""
WRITTEN_OUT = 16
"""Products of more traced factors are loops."""


def rising_factorial(x: Any, number: Any) -> Any:
    """x (x + 1) ... (x + number - 1)."""
    return _product("rising_factorial", x, number, 1)


def falling_factorial(x: Any, number: Any) -> Any:
    """x (x - 1) ... (x - number + 1)."""
    return _product("falling_factorial", x, number, -1)


def _product(function: str, x: Any, number: Any, step: int) -> Any:
    require(function, "second argument", number, number >= 0, "nonnegative!")
    if is_traced(number):
        return _gamma_ratio(x, number, step)
    factors = int(number.max(initial=0))
    start = namespace(x).ones_like(x + 0 * number)

    def multiplied(product: Any, k: Any) -> Any:
        return namespace(x).where(k < number, product * (x + step * k), product)

    if is_traced(x) and factors > WRITTEN_OUT:
        steps = jnp.arange(factors)
        return jax.lax.scan(lambda product, k: (multiplied(product, k), None), start, steps)[0]
    for k in range(factors):
        start = multiplied(start, k)
    return start


def _gamma_ratio(x: Any, number: Any, step: int) -> Any:
    """The product when nobody knows how many factors it has; right for x that keep it positive."""
    lgamma, whole = special(x, number).lgamma, np.issubdtype(x.dtype, np.integer)
    x, number = x.astype(float), number.astype(float)
    ends = (x + number, x) if step > 0 else (x + 1, x + 1 - number)
    ratio = namespace(x, number).exp(lgamma(ends[0]) - lgamma(ends[1]))
    if whole:
        return namespace(ratio).rint(ratio).astype(np.int64)
    return ratio


def choose(n: Any, k: Any) -> Any:
    """The number of ways to choose k of n things."""
    require("choose", "n", n, n >= 0, "nonnegative!")
    require("choose", "k", k, k >= 0, "nonnegative!")
    if is_traced(n, k):
        lgamma = special(n, k).lgamma
        n, k = n.astype(float), k.astype(float)
        ways = jnp.exp(lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1))
        return jnp.where(k > n, 0.0, jnp.rint(ways)).astype(np.int64)
    ways = np.where(k > n, 0.0, np.rint(scipy.special.binom(n, k)))
    require("choose", "n choose k", ways, ways <= INT_MAX, f"less than or equal to {INT_MAX}")
    return ways.astype(np.int64)
