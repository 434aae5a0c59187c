"""The gamma function's family on JAX arrays, with differences that don't cancel."""

from __future__ import annotations

import math
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

from trustvi.stan.library import _special_gamma_core as core
from trustvi.stan.library._derivatives import Array, Function, with_partials
from trustvi.stan.library._special_gamma_core import polynomial, stirling_error

LOG_PI = math.log(math.pi)
EULER = 0.5772156649015329

# B_2k / 2k: the asymptotic series of digamma, log(x) - 1/(2x) - sum B_2k / (2k x^2k).
_DIGAMMA = (0.0, 1 / 12, -1 / 120, 1 / 252, -1 / 240, 1 / 132, -691 / 32760, 1 / 12)
# zeta(k) / k for k = 2, 3, ...: log gamma(1 + x) = -gamma x + sum (-x)^k zeta(k) / k.
_ZETA_OVER_K = (
    *(0.8224670334241132, 0.40068563438653143, 0.27058080842778454, 0.20738555102867398),
    *(0.1695571769974082, 0.14404989676884612, 0.12550966952474304, 0.11133426586956469),
    *(0.1000994575127818, 0.09095401714582904, 0.08335384054610900, 0.0769325164113522),
)


def digamma(x: Array) -> Array:
    """The derivative of lgamma"""
    return _digamma(x)


def _tetragamma(value: Array, x: Array) -> Array:
    """The derivative of trigamma: -2 zeta(3, x), by JAX's polygamma of order 2."""
    return jax.lax.polygamma(jnp.full_like(x, 2.0), x)


trigamma = with_partials(core.trigamma, _tetragamma)
"""The derivative of digamma"""

_digamma = with_partials(core.digamma, lambda value, x: trigamma(x))

lgamma = with_partials(core.lgamma, lambda value, x: digamma(x))
"""log |gamma(x)|"""

_trigamma_positive = with_partials(core.trigamma_positive, _tetragamma)
_digamma_positive = with_partials(core.digamma_positive, lambda value, x: _trigamma_positive(x))

lgamma_positive = with_partials(core.lgamma_positive, lambda value, x: _digamma_positive(x))
"""log gamma(x) for x > 0"""


def _sign_of_gamma(x: Array) -> Array:
    """gamma is negative between -1 and 0, -3 and -2, ..."""
    return jnp.where((x < 0) & (jnp.floor(x) % 2 != 0), -1.0, 1.0)


tgamma = with_partials(
    lambda x: _sign_of_gamma(x) * jnp.exp(core.lgamma(x)),
    lambda value, x: value * digamma(x),
)
"""gamma(x)"""


def lgamma1p(x: Array) -> Array:
    """lgamma(1 + x) without rounding 1 + x, for x >= 0"""
    small = x < 0.05
    near = jnp.where(small, -x, 0.0)
    series = near * (EULER + near * polynomial(_ZETA_OVER_K, near))
    return jnp.where(small, series, lgamma_positive(jnp.where(small, 1.0, 1.0 + x)))


_HALF_LOG1P_TERMS = tuple(1.0 / (2 * k + 3) for k in range(12))


def _log1pmx(x: Array) -> Array:
    """With r = x / (2 + x), log1p(x) = 2 atanh(r), so log1p(x) - x = -r x + 2 r^3 (1/3 + ...)."""
    near = jnp.abs(x) < 0.3
    inner = jnp.where(near, x, 0.0)
    r = inner / (2.0 + inner)
    series = -r * inner + 2.0 * r**3 * polynomial(_HALF_LOG1P_TERMS, r * r)
    return jnp.where(near, series, jnp.log1p(x) - x)


log1pmx = with_partials(_log1pmx, lambda value, x: -x / (1.0 + x))
"""log(1 + x) - x"""


def _both_large(x: Array, n: Array) -> tuple[Array, Array, Array]:
    """Whether x and x + n are at least 10, and x and n where they are."""
    large = (x >= 10.0) & (x + n >= 10.0)
    return large, jnp.where(large, x, 10.0), jnp.where(large, n, 1.0)


def _rise_of(lgamma: Function, x: Array, n: Array) -> Array:
    """(x - 1/2) log1p(n/x) + n log(x + n) - n + stirling_error(x + n) - stirling_error(x)"""
    large, start, step = _both_large(x, n)
    end = start + step
    rise = (start - 0.5) * jnp.log1p(step / start) + step * (jnp.log(end) - 1.0)
    rise = rise + stirling_error(end) - stirling_error(start)
    return jnp.where(large, rise, lgamma(x + n) - lgamma(x))


def _slope_of_rise(digamma: Function, x: Array, n: Array) -> Array:
    """log1p(n/x) + n / (2x (x + n)) less the rise of sum B_2k / (2k x^2k)"""
    large, start, step = _both_large(x, n)
    end = start + step
    series = [polynomial(_DIGAMMA, 1.0 / jnp.square(each)) for each in (start, end)]
    rise = jnp.log1p(step / start) + 0.5 * step / (start * end) + series[0] - series[1]
    return jnp.where(large, rise, digamma(x + n) - digamma(x))


def _digamma_rise(digamma: Function, trigamma: Function) -> Function:
    """digamma(x + n) - digamma(x) and its slopes."""
    return with_partials(
        partial(_slope_of_rise, digamma),
        lambda value, x, n: trigamma(x + n) - trigamma(x),
        lambda value, x, n: trigamma(x + n),
    )


def _lgamma_rise(lgamma: Function, digamma: Function, digamma_rise: Function) -> Function:
    """lgamma(x + n) - lgamma(x) and its slopes."""
    return with_partials(
        partial(_rise_of, lgamma),
        lambda value, x, n: digamma_rise(x, n),
        lambda value, x, n: digamma(x + n),
    )


log_rising_factorial = _lgamma_rise(core.lgamma, digamma, _digamma_rise(core.digamma, trigamma))
"""lgamma(x + n) - lgamma(x), by Stirling's series where both are large"""

_digamma_rise_positive = _digamma_rise(core.digamma_positive, _trigamma_positive)
lgamma_rise = _lgamma_rise(core.lgamma_positive, _digamma_positive, _digamma_rise_positive)
"""log_rising_factorial for x > 0 and x + n > 0"""


def log_falling_factorial(x: Array, n: Array) -> Array:
    """lgamma(x + 1) - lgamma(x - n + 1)"""
    return log_rising_factorial(x - n + 1.0, n)


def _lbeta(a: Array, b: Array) -> Array:
    low, high = jnp.minimum(a, b), jnp.maximum(a, b)
    return core.lgamma_positive(low) - _rise_of(core.lgamma_positive, high, low)


lbeta = with_partials(
    _lbeta,
    lambda value, a, b: -_digamma_rise_positive(a, b),
    lambda value, a, b: -_digamma_rise_positive(b, a),
)
"""log of the beta function: lgamma(a) + lgamma(b) - lgamma(a + b)"""


def beta(a: Array, b: Array) -> Array:
    """gamma(a) gamma(b) / gamma(a + b) for positive a and b"""
    return jnp.exp(lbeta(a, b))


def lchoose(n: Array, k: Array) -> Array:
    """log of the binomial coefficient: -log1p(n) - lbeta(n - k + 1, k + 1)"""
    return -jnp.log1p(n) - lbeta(n - k + 1.0, k + 1.0)


def lmgamma(k: Array, x: Array) -> Array:
    """The multivariate gamma function's log: k (k - 1) log(pi) / 4 + sum_j lgamma(x + (1 - j) / 2)

    over j = 1, ..., k; the integers k are known.
    """
    total = 0.25 * LOG_PI * k * (k - 1.0) + jnp.zeros_like(x)
    for j in range(int(np.max(k))):
        total = total + jnp.where(j < k, lgamma(jnp.where(j < k, x - 0.5 * j, 1.0)), 0.0)
    return total
