"""Powers, with the derivatives that Stan gives them at zero."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from trustvi.stan.library._derivatives import with_partials
from trustvi.stan.library._namespace import is_traced, namespace


def power(base: Any, exponent: Any) -> Any:
    """base ^ exponent for reals or complex numbers."""
    if np.iscomplexobj(base) or np.iscomplexobj(exponent):
        return _complex_power(base, exponent)
    if not is_traced(base, exponent):
        return np.power(base, exponent)
    if not is_traced(exponent):
        return _known_exponent(base, exponent)
    return _power(base, exponent)


def _known_exponent(base: Any, exponent: np.ndarray) -> Any:
    """The same power of all, where possible by multiplication or a square root."""
    distinct = np.unique(exponent)
    if len(distinct) == 1:
        (only,) = distinct
        shape = jnp.broadcast_shapes(base.shape, exponent.shape)
        if only == 0.5:
            return jnp.broadcast_to(jnp.sqrt(base), shape)
        if only.is_integer() and abs(only) <= 64:
            return jnp.broadcast_to(jax.lax.integer_pow(base, int(only)), shape)
    return _power(base, exponent)


def _slope(value: Any, base: Any, exponent: Any) -> Any:
    """The derivative by the base; as in Stan, 0 where it would be infinite at base 0."""
    flat = (exponent == 0) | ((base == 0) & (exponent < 1))
    return jnp.where(flat, 0.0, exponent * _power(base, jnp.where(flat, 1.0, exponent - 1.0)))


def _growth(value: Any, base: Any, exponent: Any) -> Any:
    """The derivative by the exponent, 0 where the base is 0."""
    return value * jnp.log(jnp.where(base == 0, 1.0, base))


_power = with_partials(jnp.power, _slope, _growth)


def _complex_power(base: Any, exponent: Any) -> Any:
    """exp(exponent log base); 0 to a power of positive real part is 0."""
    xp = namespace(base, exponent)
    zero = base == 0
    general = xp.exp(exponent * xp.log(xp.where(zero, 1.0, base + 0j)))
    at_zero = xp.where(exponent == 0, 1.0, xp.where(exponent.real > 0, 0.0, xp.nan))
    return xp.where(zero, at_zero, general)
