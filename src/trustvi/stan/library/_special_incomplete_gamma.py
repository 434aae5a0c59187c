"""The regularised incomplete gamma functions P(a, x) and Q(a, x) = 1 - P, and their logarithms.

Below x = max(a, 1) + 1/2 the power series of P, above it the continued fraction of Q (DLMF 8.11.4
and 8.9.2), for large a Gauss and Legendre's rule on the density's log-concave tail. Whichever of P
and Q is smaller is computed directly, its logarithm without underflow, and the other from it.
"""

from __future__ import annotations

import math

import jax
import jax.numpy as jnp
import numpy as np

from trustvi.stan.library._derivatives import Array, with_partials
from trustvi.stan.library._special_gamma import lgamma1p, log1pmx
from trustvi.stan.library._special_gamma_core import stirling_error
from trustvi.stan.library._special_log import log1m_exp

LARGE = 150.0
_MAX_STEPS = 1000
_TINY = 1e-300
_EPSILON = 1e-17
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(48)
_LOG_NEGLIGIBLE = 40.0
_SMALL_SHAPE_TERMS = 24


def log_power(a: Array, x: Array) -> Array:
    """log(x^a exp(-x) / gamma(a + 1)), for a >= 10 by the deviance and Stirling's error."""
    big = a >= 10.0
    large = jnp.where(big, a, 10.0)
    ratio = (jnp.where(big, x, large) - large) / large
    scaled = large * log1pmx(ratio) - 0.5 * jnp.log(2.0 * math.pi * large) - stirling_error(large)
    small = jnp.where(big, 1.0, a)
    return jnp.where(big, scaled, small * jnp.log(x) - x - lgamma1p(small))


def _series(a: Array, x: Array) -> Array:
    """log of 1 + x / (a + 1) + x^2 / ((a + 1) (a + 2)) + ..."""

    def step(state: tuple[Array, Array, Array]) -> tuple[Array, Array, Array]:
        k, term, total = state
        term = term * x / (a + k)
        return k + 1.0, term, total + term

    def running(state: tuple[Array, Array, Array]) -> Array:
        k, term, total = state
        return jnp.any(term > _EPSILON * total) & (k < _MAX_STEPS)

    one = jnp.ones_like(a)
    return jnp.log(jax.lax.while_loop(running, step, (1.0, one, one))[2])


def _fraction(a: Array, x: Array) -> Array:
    """log of 1 / (x + 1 - a - (1 - a) / (x + 3 - a - 2 (2 - a) / (x + 5 - a - ...))), by Lentz."""

    def step(state: tuple[Array, ...]) -> tuple[Array, ...]:
        k, c, d, value, _ = state
        numerator, denominator = -k * (k - a), x + 2.0 * k + 1.0 - a
        d = 1.0 / _away_from_zero(numerator * d + denominator)
        c = _away_from_zero(denominator + numerator / c)
        return k + 1.0, c, d, value * c * d, jnp.abs(c * d - 1.0)

    def running(state: tuple[Array, ...]) -> Array:
        return jnp.any(state[4] > 2e-16) & (state[0] < _MAX_STEPS)

    first = 1.0 / (x + 1.0 - a)
    start = (1.0, jnp.full_like(first, 1.0 / _TINY), first, first, jnp.ones_like(first))
    return jnp.log(jax.lax.while_loop(running, step, start)[3])


def _away_from_zero(x: Array) -> Array:
    return jnp.where(jnp.abs(x) < _TINY, _TINY, x)


def _tail(a: Array, x: Array, upper: Array, needed: Array) -> Array:
    """log of the tail's integral over x times the density there, anything unless `needed`.

    With t = x (1 + s): int exp((a - 1) log1p(s) - x s) ds, up to where the integrand is negligible.
    """
    sign = jnp.where(upper, 1.0, -1.0)
    slope, bend = jnp.abs(x - (a - 1.0)), a - 1.0
    length = 2.0 * _LOG_NEGLIGIBLE
    reach = length / (slope + jnp.sqrt(slope * slope + length * bend))
    reach = jnp.where(upper, 1.3 * reach, jnp.minimum(reach, 1.0))
    reach = jax.lax.stop_gradient(reach)

    def add(k: Array, total: Array) -> Array:
        s = sign * reach * (0.5 + 0.5 * jnp.asarray(_NODES)[k])
        return total + jnp.asarray(_WEIGHTS)[k] * jnp.exp(bend * jnp.log1p(s) - x * s)

    total = jax.lax.fori_loop(0, jnp.where(needed, len(_NODES), 1), add, jnp.zeros_like(x))
    return jnp.log(0.5 * reach * total)


def _log_q_small_shape(a: Array, x: Array, needed: Array) -> Array:
    """log Q for a < 1 and x < 3/2, where 1 - P would cancel; anything unless `needed`.

    Q = 1 - L - a L sum_k (-x)^k / (k! (a + k)) with L = x^a / gamma(a + 1), k = 1, 2, ...
    """
    log_l = a * jnp.log(x) - lgamma1p(a)

    def add(k: Array, state: tuple[Array, Array]) -> tuple[Array, Array]:
        term, total = state
        place = k.astype(x.dtype)
        term = term * -x / place
        return term, total + term / (a + place)

    terms = jnp.where(needed, _SMALL_SHAPE_TERMS, 1)
    _, total = jax.lax.fori_loop(1, terms + 1, add, (jnp.ones_like(x), jnp.zeros_like(x)))
    return jnp.log(-jnp.expm1(log_l) - a * jnp.exp(log_l) * total)


def _log_smaller(a: Array, x: Array) -> tuple[Array, Array]:
    """Whether Q is computed directly (else P), and the log of the one that is."""
    large = a > LARGE
    upper = jnp.where(large, x > a, x > jnp.maximum(a, 1.0) + 0.5)
    low, high = ~large & ~upper, ~large & upper
    series = _series(jnp.where(low, a, 1.0), jnp.where(low, x, 0.1))
    fraction = _fraction(jnp.where(high, a, 1.0), jnp.where(high, x, 10.0))
    tail = _tail(jnp.where(large, a, 200.0), jnp.where(large, x, 200.0), upper, jnp.any(large))
    integral = jnp.log(a) + jnp.where(large, tail, fraction)
    return upper, log_power(a, x) + jnp.where(low, series, integral)


def _inside(a: Array, x: Array) -> tuple[Array, Array]:
    """a and x of one shape, x kept away from 0 and infinity."""
    a, x = jnp.broadcast_arrays(a, x)
    return a, jnp.clip(x, _TINY, 1.0 / _TINY)


def _log_p_inside(a: Array, x: Array) -> Array:
    upper, smaller = _log_smaller(a, x)
    return jnp.where(upper, log1m_exp(smaller), smaller)


def _log_q_inside(a: Array, x: Array) -> Array:
    upper, smaller = _log_smaller(a, x)
    tiny = (a < 1.0) & (x < 1.5)
    near = _log_q_small_shape(jnp.where(tiny, a, 0.5), jnp.where(tiny, x, 0.5), jnp.any(tiny))
    return jnp.where(tiny, near, jnp.where(upper, smaller, log1m_exp(smaller)))


def _log_gamma_p(a: Array, x: Array) -> Array:
    return jnp.where(x <= 0.0, -jnp.inf, _log_p_inside(*_inside(a, x)))


def _log_gamma_q(a: Array, x: Array) -> Array:
    return jnp.where(x == jnp.inf, -jnp.inf, _log_q_inside(*_inside(a, x)))


def _log_density(a: Array, x: Array) -> Array:
    """log(x^(a - 1) exp(-x) / gamma(a))"""
    a, x = _inside(a, x)
    return log_power(a, x) + jnp.log(a) - jnp.log(x)


log_gamma_p = with_partials(
    _log_gamma_p,
    None,
    lambda value, a, x: jnp.exp(_log_density(a, x) - value),
)
"""log P(a, x)"""

log_gamma_q = with_partials(
    _log_gamma_q,
    None,
    lambda value, a, x: -jnp.exp(_log_density(a, x) - value),
)
"""log Q(a, x)"""

gamma_p = with_partials(
    lambda a, x: jnp.exp(_log_gamma_p(a, x)),
    None,
    lambda value, a, x: jnp.exp(_log_density(a, x)),
)
"""P(a, x)"""

gamma_q = with_partials(
    lambda a, x: jnp.exp(_log_gamma_q(a, x)),
    None,
    lambda value, a, x: -jnp.exp(_log_density(a, x)),
)
"""Q(a, x)"""
