"""Elementary functions of reals and complex numbers, written once for NumPy and JAX.

Where NumPy and JAX have a function with Stan's values and derivatives, the table takes it from
there; here are those that differ: in rounding, at ties and at the ends of their domains.
"""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np

from trustvi.stan.library._derivatives import with_partials
from trustvi.stan.library._namespace import is_traced, namespace


def sqrt(x: Any) -> Any:
    """The square root; like Stan's, its derivative at 0 is 0."""
    if not is_traced(x):
        return np.sqrt(x)
    zero = x == 0
    return jnp.where(zero, 0.0, jnp.sqrt(jnp.where(zero, 1.0, x)))


def inv(x: Any) -> Any:
    return 1.0 / x


def inv_sqrt(x: Any) -> Any:
    return 1.0 / namespace(x).sqrt(x)


def square(x: Any) -> Any:
    return x * x


def inv_square(x: Any) -> Any:
    return 1.0 / (x * x)


def log1m(x: Any) -> Any:
    return namespace(x).log1p(-x)


def log10(x: Any) -> Any:
    """The logarithm to base 10, which JAX has for reals only."""
    xp = namespace(x)
    return xp.log(x) / np.log(10.0) if xp.iscomplexobj(x) else xp.log10(x)


def acosh(x: Any) -> Any:
    """The inverse of cosh. JAX's derivative for complex numbers has the wrong sign on the left."""
    xp = namespace(x)
    if xp.iscomplexobj(x):
        return xp.log(x + xp.sqrt(x + 1.0) * xp.sqrt(x - 1.0))
    return xp.arccosh(x)


def round_away(x: Any) -> Any:
    """The nearest integer; halves go away from 0."""
    xp = namespace(x)
    size = abs(x)
    down = xp.floor(size)
    return xp.copysign(xp.where(size - down >= 0.5, down + 1.0, down), x)


def absolute(x: Any) -> Any:
    """The absolute value or modulus; its derivatives at 0 are 0."""
    if not is_traced(x):
        return abs(x)
    return hypot(x.real, x.imag) if jnp.iscomplexobj(x) else _absolute(x)


def _safe(length: Any) -> Any:
    return jnp.where(length == 0, 1.0, length)


_hypot = with_partials(
    jnp.hypot,
    lambda length, x, y: x / _safe(length),
    lambda length, x, y: y / _safe(length),
)
_absolute = with_partials(jnp.abs, lambda size, x: jnp.sign(x))
_atan2 = with_partials(
    jnp.arctan2,
    lambda angle, y, x: x / _safe(_hypot(x, y)) / _safe(_hypot(x, y)),
    lambda angle, y, x: -y / _safe(_hypot(x, y)) / _safe(_hypot(x, y)),
)


def hypot(x: Any, y: Any) -> Any:
    """sqrt(x^2 + y^2) without overflow; its derivatives at 0 are 0."""
    return _hypot(x, y) if is_traced(x, y) else np.hypot(x, y)


def atan2(y: Any, x: Any) -> Any:
    """The angle of the point (x, y); its derivatives at 0 are 0."""
    return _atan2(y, x) if is_traced(x, y) else np.arctan2(y, x)


def fmax(x: Any, y: Any) -> Any:
    """The greater, or the one that isn't NaN. Of equals, a known number gives way."""
    if not is_traced(x, y):
        return np.fmax(x, y)
    left = x > y if is_traced(y) else x >= y
    return jnp.where(left | jnp.isnan(y), x, y)


def fmin(x: Any, y: Any) -> Any:
    """The smaller, or the one that isn't NaN. Of equals, a known number gives way."""
    if not is_traced(x, y):
        return np.fmin(x, y)
    left = x < y if is_traced(y) else x <= y
    return jnp.where(left | jnp.isnan(y), x, y)


def fdim(x: Any, y: Any) -> Any:
    """x - y where that is positive, else 0."""
    return namespace(x, y).where(x <= y, 0.0, x - y)


def fma(x: Any, y: Any, z: Any) -> Any:
    return x * y + z


def ldexp(x: Any, exponent: Any) -> Any:
    """x * 2^exponent, in two factors so that the power alone doesn't overflow."""
    if not is_traced(x, exponent):
        return np.ldexp(x, exponent)
    half = exponent // 2
    xp = namespace(exponent)
    return x * xp.exp2(half.astype(float)) * xp.exp2((exponent - half).astype(float))


def step(x: Any) -> Any:
    """1, but 0 for negative numbers."""
    return namespace(x).where(x < 0, 0.0, 1.0)


def int_step(x: Any) -> Any:
    """1 for positive numbers, else 0."""
    return (x > 0).astype(np.int64)


def is_inf(x: Any) -> Any:
    return namespace(x).isinf(x).astype(np.int64)


def is_nan(x: Any) -> Any:
    return namespace(x).isnan(x).astype(np.int64)
