"""Lambert's W on JAX arrays."""

from __future__ import annotations

import jax.numpy as jnp

from trustvi.stan.library._derivatives import Array, with_partials


def _newton_on_log(w: Array, z: Array) -> Array:
    """A Halley step towards w exp(w) = z."""
    scaled = z * jnp.exp(-w)
    miss, slope = w - scaled, w + 1.0
    return w - miss / (slope - 0.5 * (w + 2.0) * miss / jnp.where(slope == 0.0, 1.0, slope))


def _branch_point(z: Array, sign: float) -> Array:
    """-1 + p - p^2 / 3 + 11 p^3 / 72 with p = +-sqrt(2 (1 + e z))."""
    p = sign * jnp.sqrt(jnp.maximum(2.0 * (1.0 + jnp.e * z), 0.0))
    return -1.0 + p * (1.0 - p * (1.0 / 3.0 - p * 11.0 / 72.0))


def _refined(w: Array, z: Array, near: Array) -> Array:
    """Six steps, except beside the branch point, where the series is as good."""
    for _ in range(6):
        w = jnp.where(near, w, _newton_on_log(w, z))
    return w


def _lambert_w0(z: Array) -> Array:
    far = jnp.log(jnp.maximum(z, 2.0))
    middle = jnp.log1p(jnp.maximum(z, -0.2)) * 0.8
    start = jnp.where(
        z > 2.0, far - jnp.log(far), jnp.where(z < -0.2, _branch_point(z, 1.0), middle)
    )
    value = _refined(start, z, jnp.abs(1.0 + jnp.e * z) < 1e-8)
    return jnp.where(z < -jnp.exp(-1.0), jnp.nan, value)


def _lambert_wm1(z: Array) -> Array:
    steep = jnp.log(-jnp.minimum(z, -1e-300))
    start = jnp.where(z < -0.25, _branch_point(z, -1.0), steep - jnp.log(-steep))
    value = _refined(start, z, jnp.abs(1.0 + jnp.e * z) < 1e-8)
    return jnp.where((z < -jnp.exp(-1.0)) | (z >= 0.0), jnp.nan, value)


def _lambert_slope(value: Array, z: Array) -> Array:
    return jnp.exp(-value) / (1.0 + value)


lambert_w0 = with_partials(_lambert_w0, _lambert_slope)
"""The w >= -1 with w exp(w) = z"""

lambert_wm1 = with_partials(_lambert_wm1, _lambert_slope)
"""The w <= -1 with w exp(w) = z"""
