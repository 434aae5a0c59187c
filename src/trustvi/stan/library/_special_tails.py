"""Distribution functions that are special functions of their own: skew normal, t, von Mises."""

from __future__ import annotations

import math

import jax
import jax.numpy as jnp
import numpy as np

from trustvi.stan.library._derivatives import Array, with_partials
from trustvi.stan.library._special_gamma import lgamma_rise
from trustvi.stan.library._special_gamma_core import HALF_LOG_2_PI
from trustvi.stan.library._special_incomplete_beta import log_lower
from trustvi.stan.library._special_log import LOG_2, log1m_exp, log_diff_exp
from trustvi.stan.library._special_normal import Phi, owens_t, std_normal_lcdf

LOG_PI = math.log(math.pi)
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(48)
_HALF_NODES = 0.5 + 0.5 * _NODES
_LOG_NEGLIGIBLE = 40.0
_REACH = math.sqrt(2.0 * _LOG_NEGLIGIBLE)


def _flat_wedge(h: Array, a: Array) -> Array:
    """int_atan(a)^(pi/2) exp(h^2 (a^2 - tan(t)^2) / 2) dt, cut where that is negligible."""
    start = jnp.arctan(a)
    length = jnp.arctan(jnp.hypot(a, _REACH / h)) - start
    t = start[..., None] + length[..., None] * _HALF_NODES
    rise = jnp.square(jnp.tan(t)) - jnp.square(a)[..., None]
    return 0.5 * length * (jnp.exp(-0.5 * jnp.square(h)[..., None] * rise) @ _WEIGHTS)


def _steep_wedge(h: Array, a: Array) -> Array:
    """The same in u = tan(t) - a: int_0 exp(-h^2 u (a + u / 2)) / (1 + (a + u)^2) du."""
    reach = jnp.square(_REACH / h)
    length = reach / (a + jnp.sqrt(a * a + reach))
    u = length[..., None] * _HALF_NODES
    a, square = a[..., None], jnp.square(h)[..., None]
    heights = jnp.exp(-square * u * (a + 0.5 * u)) / (1.0 + jnp.square(a + u))
    return 0.5 * length * (heights @ _WEIGHTS)


def _log_wedge(h: Array, a: Array) -> Array:
    """log of 2 P(X > h, Y > a X) for h, a >= 0: the thin tail of the skew normal.

    Near the mode Phi(-h) - 2 T(h, a); beyond it by quadrature, since that difference cancels.
    """
    near, steep = (h < 1.0) & (h * a < 2.0), a > 3.0
    difference = Phi(-h) - 2.0 * owens_t(h, jnp.where(near, a, 0.0))
    h = jnp.where(near, 1.0, h)
    flat = _flat_wedge(h, jnp.where(steep, 1.0, a))
    wedge = jnp.where(steep, _steep_wedge(h, jnp.where(steep, a, 4.0)), flat)
    beyond = -0.5 * h * h * (1.0 + a * a) + jnp.log(wedge) - LOG_PI
    return jnp.where(near, jnp.log(difference), beyond)


def _log_lower_skew(h: Array, alpha: Array) -> Array:
    """log F(-h) for h >= 0: the wedge for alpha > 0, and what it leaves of 2 Phi(-h) otherwise."""
    wedge = _log_wedge(h, jnp.abs(alpha))
    return jnp.where(alpha > 0.0, wedge, log_diff_exp(LOG_2 + std_normal_lcdf(-h), wedge))


def _skew_normal_lcdf(z: Array, alpha: Array) -> Array:
    z, alpha = jnp.broadcast_arrays(z, alpha)
    below = z < 0.0
    lower = _log_lower_skew(jnp.abs(z), jnp.where(below, alpha, -alpha))
    return jnp.where(below, lower, log1m_exp(lower))


def _skew_normal_in_z(value: Array, z: Array, alpha: Array) -> Array:
    log_density = LOG_2 - 0.5 * z * z - HALF_LOG_2_PI + std_normal_lcdf(alpha * z)
    return jnp.exp(log_density - value)


def _skew_normal_in_alpha(value: Array, z: Array, alpha: Array) -> Array:
    square = 1.0 + alpha * alpha
    return -jnp.exp(-0.5 * z * z * square - value) / (math.pi * square)


skew_normal_lcdf = with_partials(_skew_normal_lcdf, _skew_normal_in_z, _skew_normal_in_alpha)
"""log F(z) of the standard skew normal with shape alpha: F = Phi(z) - 2 T(z, alpha)"""


def _log_both_tails(nu: Array, square: Array) -> Array:
    """log P(|T| > z) = log I_x(nu / 2, 1 / 2) with x = nu / (nu + z^2)."""
    total = nu + square
    half = jnp.full_like(total, 0.5)
    return log_lower(0.5 * nu, half, nu / total, jnp.maximum(square / total, 1e-300))


# From here on the continued fraction's 1 - (a + b) x / (a + 1) loses more digits than the error of
# the nearly normal form, which is z^5 / nu^2 or so.
_NEARLY_NORMAL = 1e8


def _nearly_normal_lcdf(z: Array, nu: Array) -> Array:
    """log Phi(z (1 - 1 / (4 nu)) / sqrt(1 + z^2 / (2 nu))) (Abramowitz and Stegun 26.7.8)"""
    return std_normal_lcdf(z * (1.0 - 0.25 / nu) / jnp.sqrt(1.0 + 0.5 * z * z / nu))


def _student_t_lcdf(z: Array, nu: Array) -> Array:
    z, nu = jnp.broadcast_arrays(z, nu)
    square = jnp.minimum(z * z, 1e300)
    lower = _log_both_tails(nu, square) - LOG_2
    general = jnp.where(z < 0.0, lower, log1m_exp(lower))
    normal = (nu > _NEARLY_NORMAL) & (square * square < nu)
    return jnp.where(normal, _nearly_normal_lcdf(jnp.where(normal, z, 0.0), nu), general)


def _student_t_in_z(value: Array, z: Array, nu: Array) -> Array:
    half = 0.5 * nu
    constant = lgamma_rise(half, 0.5) - 0.5 * (jnp.log(nu) + LOG_PI)
    return jnp.exp(constant - (half + 0.5) * jnp.log1p(z * z / nu) - value)


student_t_lcdf = with_partials(_student_t_lcdf, _student_t_in_z, None)
"""log F(z) of Student's t with nu degrees of freedom"""


def _half_mass(d: Array, kappa: Array) -> Array:
    """int_0^d exp(kappa (cos t - 1)) dt for 0 <= d <= pi, cut where the integrand is negligible."""
    end = jnp.minimum(d, 3.0 * math.sqrt(_LOG_NEGLIGIBLE) / jnp.sqrt(jnp.maximum(kappa, 1e-300)))
    t = end[..., None] * _HALF_NODES
    return 0.5 * end * (jnp.exp(-2.0 * kappa[..., None] * jnp.square(jnp.sin(0.5 * t))) @ _WEIGHTS)


def _von_mises_mass(angle: Array, kappa: Array) -> Array:
    """Periods, then the half mass up to the remainder over that of the period."""
    angle, kappa = jnp.broadcast_arrays(angle, kappa)
    periods = jnp.round(angle / (2.0 * math.pi))
    rest = angle - 2.0 * math.pi * periods
    whole = 2.0 * _half_mass(jnp.full_like(kappa, math.pi), kappa)
    return periods + jnp.sign(rest) * _half_mass(jnp.abs(rest), kappa) / whole


def _von_mises_density(value: Array, angle: Array, kappa: Array) -> Array:
    peak = jnp.exp(-2.0 * kappa * jnp.square(jnp.sin(0.5 * angle)))
    return peak / (2.0 * math.pi * jax.lax.bessel_i0e(kappa))


von_mises_mass = with_partials(_von_mises_mass, _von_mises_density, None)
"""The mass of the von Mises distribution around 0, unrolled, between 0 and an angle"""
