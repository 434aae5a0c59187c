"""The regularised incomplete beta function I_x(a, b) on JAX arrays, and its logarithms.

Functions take both x and y = 1 - x, since near 1 the complement is what is known precisely; they
differentiate along dy = -dx. By the continued fraction DLMF 8.17.22 for x below the mean, else by
I_x(a, b) = 1 - I_y(b, a).
"""

from __future__ import annotations

import math

import jax
import jax.numpy as jnp

from trustvi.stan.library._derivatives import Array, Function, slope_along, with_partials
from trustvi.stan.library._special_gamma import (
    lgamma_positive,
    lgamma_rise,
    log1pmx,
)
from trustvi.stan.library._special_gamma_core import stirling_error
from trustvi.stan.library._special_log import inv_logit, log1m_exp

_TINY = 1e-300
_MAX_STEPS = 2000


def _log_power_large(a: Array, b: Array, x: Array, y: Array) -> Array:
    """For a, b >= 10, with d = b x - a y:

    a log1pmx(d/a) + b log1pmx(-d/b) + log(a b / (2 pi (a + b))) / 2 + Stirling's errors.
    """
    d = b * x - a * y
    errors = stirling_error(a + b) - stirling_error(a) - stirling_error(b)
    scale = 0.5 * jnp.log(a / (2.0 * math.pi * (1.0 + a / b)))
    return a * log1pmx(d / a) + b * log1pmx(-d / b) + scale + errors


def _log_power_small(a: Array, b: Array, x: Array, y: Array) -> Array:
    """For min(a, b) < 10: a log(x) + b log(y) - lgamma(min) + lgamma_rise(max, min)."""
    low, high = jnp.where(a < b, a, b), jnp.where(a < b, b, a)
    log_x = jnp.where(x < 0.5, jnp.log(x), jnp.log1p(-jnp.where(x < 0.5, 0.5, y)))
    log_y = jnp.where(y < 0.5, jnp.log(y), jnp.log1p(-jnp.where(y < 0.5, 0.5, x)))
    return a * log_x + b * log_y - lgamma_positive(low) + lgamma_rise(high, low)


def _log_power(a: Array, b: Array, x: Array, y: Array) -> Array:
    """log(x^a y^b / B(a, b))"""
    large = (a >= 10.0) & (b >= 10.0)
    big = _log_power_large(jnp.where(large, a, 10.0), jnp.where(large, b, 10.0), x, y)
    small = _log_power_small(jnp.where(large, 1.0, a), jnp.where(large, 1.0, b), x, y)
    return jnp.where(large, big, small)


def _away_from_zero(x: Array) -> Array:
    return jnp.where(jnp.abs(x) < _TINY, _TINY, x)


def _log_fraction(a: Array, b: Array, x: Array) -> Array:
    """log of 1 / (1 + d_1 / (1 + d_2 / (1 + ...))), by Lentz's method, two terms a step."""

    def extend(numerator: Array, c: Array, d: Array) -> tuple[Array, Array]:
        return _away_from_zero(1.0 + numerator / c), 1.0 / _away_from_zero(1.0 + numerator * d)

    def step(state: tuple[Array, ...]) -> tuple[Array, ...]:
        m, c, d, value, _ = state
        end = a + 2.0 * m
        c, d = extend(m * (b - m) * x / ((end - 1.0) * end), c, d)
        value = value * c * d
        c, d = extend(-(a + m) * (a + b + m) * x / (end * (end + 1.0)), c, d)
        return m + 1.0, c, d, value * c * d, jnp.abs(c * d - 1.0)

    def running(state: tuple[Array, ...]) -> Array:
        return jnp.any(state[4] > 3e-16) & (state[0] < _MAX_STEPS)

    one = jnp.ones_like(x)
    first = 1.0 / _away_from_zero(1.0 - (a + b) * x / (a + 1.0))
    return jnp.log(jax.lax.while_loop(running, step, (1.0, one, first, first, one))[3])


def _inside(a: Array, b: Array, x: Array, y: Array) -> tuple[Array, Array, Array, Array]:
    """All of one shape, x and y kept away from 0."""
    a, b, x, y = jnp.broadcast_arrays(a, b, x, y)
    return a, b, jnp.maximum(x, _TINY), jnp.maximum(y, _TINY)


def _log_smaller(a: Array, b: Array, x: Array, y: Array) -> tuple[Array, Array]:
    """Whether 1 - I is computed directly (else I), and the log of the one that is."""
    upper = x * (b + 1.0) > (a + 1.0) * y
    first, second = jnp.where(upper, b, a), jnp.where(upper, a, b)
    fraction = _log_fraction(first, second, jnp.where(upper, y, x))
    return upper, _log_power(a, b, x, y) - jnp.log(first) + fraction


def log_lower(a: Array, b: Array, x: Array, y: Array) -> Array:
    upper, smaller = _log_smaller(a, b, x, y)
    # The side not taken must not make 0 / 0 of a derivative.
    return jnp.where(upper, log1m_exp(jnp.where(upper, smaller, -1.0)), smaller)


def _log_inc_beta(a: Array, b: Array, x: Array, y: Array) -> Array:
    inside = log_lower(*_inside(a, b, x, y))
    return jnp.where(x <= 0.0, -jnp.inf, jnp.where(y <= 0.0, 0.0, inside))


def _log_density(a: Array, b: Array, x: Array, y: Array) -> Array:
    """log(x^(a - 1) y^(b - 1) / B(a, b))"""
    a, b, x, y = _inside(a, b, x, y)
    return _log_power(a, b, x, y) - jnp.log(x) - jnp.log(y)


def _with_complement(function: Function, in_x: Function) -> Function:
    """In x with y moving against it, so that nothing is left for y; second derivatives in x are of
    _log_density, where x and y move as they do in the caller."""
    return with_partials(function, None, None, in_x, lambda value, *_: jnp.zeros_like(value))


log_inc_beta = _with_complement(
    _log_inc_beta,
    lambda value, *args: jnp.exp(_log_density(*args) - value),
)
"""log I_x(a, b), of (a, b, x, 1 - x)"""

inc_beta_of_pair = _with_complement(
    lambda *args: jnp.exp(_log_inc_beta(*args)),
    lambda value, *args: jnp.exp(_log_density(*args)),
)
"""I_x(a, b), of (a, b, x, 1 - x)"""


def inc_beta(a: Array, b: Array, x: Array) -> Array:
    """I_x(a, b)"""
    return inc_beta_of_pair(a, b, x, 1.0 - x)


_BISECTIONS = 80


def _inv_inc_beta(a: Array, b: Array, p: Array) -> Array:
    """By bisection in the logit of x, with both p and 1 - p rounded as they are."""
    a, b, p = jnp.broadcast_arrays(a, b, p)
    depth = 1.0 - jnp.log(jnp.clip(p, _TINY, 1.0)) - jnp.log(jnp.clip(1.0 - p, 1e-17, 1.0))
    reach = 20.0 + depth * (1.0 / a + 1.0 / b) + jnp.abs(jnp.log(a / b))
    target = jnp.log(p)

    def halve(_: int, bounds: tuple[Array, Array]) -> tuple[Array, Array]:
        low, high = bounds
        middle = 0.5 * (low + high)
        below = _log_inc_beta(a, b, inv_logit(middle), inv_logit(-middle)) < target
        return jnp.where(below, middle, low), jnp.where(below, high, middle)

    low, high = jax.lax.fori_loop(0, _BISECTIONS, halve, (-reach, reach))
    x = inv_logit(0.5 * (low + high))
    return jnp.where(p <= 0.0, 0.0, jnp.where(p >= 1.0, 1.0, x))


def _quantile_slope(x: Array, a: Array, b: Array) -> Array:
    return jnp.exp(-_log_density(a, b, x, 1.0 - x))


def _quantile_in_shape(place: int) -> Function:
    """Of I_x(a, b) = p: x moves by -p d log I / da over the density."""
    slope = slope_along(log_lower, place)
    return lambda x, a, b, p: -p * slope(*_inside(a, b, x, 1.0 - x)) * _quantile_slope(x, a, b)


inv_inc_beta = with_partials(
    _inv_inc_beta,
    _quantile_in_shape(0),
    _quantile_in_shape(1),
    lambda x, a, b, p: _quantile_slope(x, a, b),
)
"""The x with I_x(a, b) = p"""
