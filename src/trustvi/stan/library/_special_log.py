"""Logarithms and exponentials of sums, differences and odds, on JAX arrays."""

from __future__ import annotations

import jax.numpy as jnp

from trustvi.stan.library._derivatives import Array, with_partials

LOG_2 = 0.6931471805599453


def _inv_logit(x: Array) -> Array:
    small = jnp.exp(-jnp.abs(x))
    return jnp.where(x >= 0, 1.0, small) / (1.0 + small)


def _inv_logit_slope(value: Array, x: Array) -> Array:
    """inv_logit(x) inv_logit(-x), which is not 0 where inv_logit(x) rounds to 1."""
    small = jnp.exp(-jnp.abs(x))
    return small / (1.0 + small) ** 2


def _log1p_exp(x: Array) -> Array:
    return jnp.maximum(x, 0.0) + jnp.log1p(jnp.exp(-jnp.abs(x)))


def _log1m_exp(x: Array) -> Array:
    return jnp.where(x > -LOG_2, jnp.log(-jnp.expm1(x)), jnp.log1p(-jnp.exp(x)))


def _log_sum_exp(x: Array, y: Array) -> Array:
    high, low = jnp.maximum(x, y), jnp.minimum(x, y)
    return high + jnp.log1p(jnp.exp(jnp.where(high == low, 0.0, low - high)))


def _log_diff_exp(x: Array, y: Array) -> Array:
    below = jnp.where(x == y, 0.0, y - x)
    return x + jnp.where(y == -jnp.inf, 0.0, _log1m_exp(below))


def _share(x: Array, y: Array) -> Array:
    """exp(x) / (exp(x) + exp(y))."""
    both_infinite = jnp.isinf(x) & (x == y)  # a tie of finite ones has a slope
    return inv_logit(jnp.where(both_infinite, 0.0, x - y))


inv_logit = with_partials(_inv_logit, _inv_logit_slope)
"""1 / (1 + exp(-x))"""

log1p_exp = with_partials(_log1p_exp, lambda value, x: inv_logit(x))
"""log(1 + exp(x))"""

# exp(x) / expm1(x), not 1 / expm1(-x), whose derivative is inf / inf far from 0.
log1m_exp = with_partials(_log1m_exp, lambda value, x: jnp.exp(x) / jnp.expm1(x))
"""log(1 - exp(x)) for x <= 0"""

log_sum_exp = with_partials(
    _log_sum_exp, lambda value, x, y: _share(x, y), lambda value, x, y: _share(y, x)
)
"""log(exp(x) + exp(y))"""

log_diff_exp = with_partials(
    _log_diff_exp,
    lambda value, x, y: -1.0 / jnp.expm1(y - x),
    lambda value, x, y: jnp.exp(y - x) / jnp.expm1(y - x),
)
"""log(exp(x) - exp(y)) for x >= y"""


def log_inv_logit(x: Array) -> Array:
    """log(inv_logit(x))"""
    return -log1p_exp(-x)


def log1m_inv_logit(x: Array) -> Array:
    """log(1 - inv_logit(x))"""
    return -log1p_exp(x)


def log_inv_logit_diff(x: Array, y: Array) -> Array:
    """log(inv_logit(x) - inv_logit(y)) = log(1 - exp(y - x)) - log1p_exp(-x) - log1p_exp(y)"""
    return log1m_exp(y - x) - log1p_exp(-x) - log1p_exp(y)


def logit(x: Array) -> Array:
    """log(x / (1 - x))"""
    return jnp.log(x) - jnp.log1p(-x)


def log1m(x: Array) -> Array:
    """log(1 - x)"""
    return jnp.log1p(-x)


inv_cloglog = with_partials(
    lambda x: -jnp.expm1(-jnp.exp(x)), lambda value, x: jnp.exp(x - jnp.exp(x))
)
"""1 - exp(-exp(x))"""


def log_mix(theta: Array, x: Array, y: Array) -> Array:
    """log(theta exp(x) + (1 - theta) exp(y))"""
    return _log_mix(theta, x, y)


_log_mix = with_partials(
    lambda theta, x, y: _log_sum_exp(jnp.log(theta) + x, jnp.log1p(-theta) + y),
    lambda value, theta, x, y: jnp.exp(x - value) - jnp.exp(y - value),
    lambda value, theta, x, y: theta * jnp.exp(x - value),
    lambda value, theta, x, y: (1.0 - theta) * jnp.exp(y - value),
)


def _multiply_log(x: Array, y: Array) -> Array:
    return jnp.where(x == 0.0, jnp.where(jnp.isnan(y), y, 0.0), x * jnp.log(y))


multiply_log = with_partials(
    _multiply_log,
    lambda value, x, y: jnp.log(y),
    lambda value, x, y: jnp.where(x == 0.0, 0.0, x / jnp.where(x == 0.0, 1.0, y)),
)
"""x log(y), and 0 where x is 0"""


def binary_log_loss(y: Array, probability: Array) -> Array:
    """-log(probability) where y is 1, else -log(1 - probability)"""
    return -jnp.log(jnp.where(y == 1, probability, 1.0 - probability))
