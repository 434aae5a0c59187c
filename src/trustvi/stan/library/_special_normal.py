"""The error function's family on JAX arrays: the normal distribution function and its tails."""

from __future__ import annotations

import math

import jax.numpy as jnp
import jax.scipy.special as jsp
import numpy as np

from trustvi.stan.library._derivatives import Array, with_partials
from trustvi.stan.library._special_log import LOG_2, inv_logit, log_diff_exp

SQRT_2 = math.sqrt(2.0)
SQRT_2_PI = math.sqrt(2.0 * math.pi)
TWO_OVER_SQRT_PI = 2.0 / math.sqrt(math.pi)

# Chebyshev coefficients of (1 + 2x) erfcx(x) in t = (x - 3) / (x + 3), x >= 0; the idea is
# Shepherd and Laframboise's (Mathematics of Computation 36, 1981). The error is below 1e-17.
_ERFCX = (
    1.17756257419656,
    0.005353904539615676,
    -0.09377550342284209,
    0.05436652555744322,
    -0.018976596707845208,
    0.004453426061462712,
    -0.0006335531710553147,
    1.7661719523171593e-05,
    1.2841532864056671e-05,
    -2.0072285659059913e-06,
    -1.807522790414837e-07,
    7.549828343825093e-08,
    1.885668523838603e-09,
    -2.699519049798364e-09,
    -1.460079119939105e-11,
    1.0361607445969489e-10,
    1.4757159766234726e-12,
    -4.277340064396911e-12,
    -2.0792249285979918e-13,
    1.8134502003176953e-13,
    1.973425574544739e-14,
    -7.287943737592579e-15,
    -1.5169878690226217e-15,
    2.3514112258809733e-16,
    1.000611169185917e-16,
    -2.05725281648943e-18,
)


def _scaled_tail(x: Array) -> Array:
    """erfcx(x) = exp(x^2) erfc(x) for x >= 0, by Clenshaw's recurrence."""
    t = 1.0 - 6.0 / (x + 3.0)
    high = higher = jnp.zeros_like(t)
    for coefficient in reversed(_ERFCX[1:]):
        high, higher = coefficient + 2.0 * t * high - higher, high
    return (_ERFCX[0] + t * high - higher) / (1.0 + 2.0 * x)


def _erfcx(x: Array) -> Array:
    tail = _scaled_tail(jnp.abs(x))
    below = jnp.minimum(x, 0.0)
    return jnp.where(x >= 0, tail, 2.0 * jnp.exp(below * below) - tail)


erfcx = with_partials(_erfcx, lambda value, x: 2.0 * x * value - TWO_OVER_SQRT_PI)
"""exp(x^2) erfc(x)"""


def normal_density(x: Array) -> Array:
    """exp(-x^2 / 2) / sqrt(2 pi)"""
    return jnp.exp(-0.5 * x * x) / SQRT_2_PI


def _std_normal_lcdf(x: Array) -> Array:
    tail = _scaled_tail(jnp.abs(x) / SQRT_2)
    above = jnp.log1p(-0.5 * jnp.exp(-0.5 * x * x) * tail)
    return jnp.where(x > 0, above, jnp.log(tail) - 0.5 * x * x - LOG_2)


def _std_normal_cdf(x: Array) -> Array:
    tail = 0.5 * jnp.exp(-0.5 * x * x) * _scaled_tail(jnp.abs(x) / SQRT_2)
    return jnp.where(x > 0, 1.0 - tail, tail)


def _normal_hazard(x: Array) -> Array:
    tail = _scaled_tail(jnp.abs(x) / SQRT_2)
    above = jnp.exp(-0.5 * x * x)
    return jnp.where(
        x > 0, above / (SQRT_2_PI * (1.0 - 0.5 * above * tail)), 2.0 / (SQRT_2_PI * tail)
    )


def _normal_hazard_slope(value: Array, x: Array) -> Array:
    """-h (x + h); far in the tail x + h = (1 - 2/x^2 + 10/x^4 - 74/x^6 + ...) / -x."""
    far = x < -30.0
    q = 1.0 / jnp.square(jnp.where(far, x, 1.0))
    series = 1.0 + q * (-2.0 + q * (10.0 + q * (-74.0 + q * (706.0 - 8162.0 * q))))
    return -value * jnp.where(far, -series / jnp.where(far, x, 1.0), x + value)


normal_hazard = with_partials(_normal_hazard, _normal_hazard_slope)
"""The density of a standard normal over its distribution function"""

std_normal_lcdf = with_partials(_std_normal_lcdf, lambda value, x: normal_hazard(x))
"""log(Phi(x))"""

Phi = with_partials(_std_normal_cdf, lambda value, x: normal_density(x))
"""The distribution function of a standard normal"""

erf = with_partials(jsp.erf, lambda value, x: TWO_OVER_SQRT_PI * jnp.exp(-x * x))
"""2 / sqrt(pi) times the integral of exp(-t^2) from 0 to x"""


def erfc(x: Array) -> Array:
    """1 - erf(x)"""
    return 2.0 * Phi(-SQRT_2 * x)


def log_erfc(x: Array) -> Array:
    """log(1 - erf(x))"""
    return LOG_2 + std_normal_lcdf(-SQRT_2 * x)


def Phi_approx(x: Array) -> Array:
    """inv_logit(0.07056 x^3 + 1.5976 x), which is near Phi(x)"""
    return inv_logit(x * (0.07056 * x * x + 1.5976))


inv_Phi = with_partials(jsp.ndtri, lambda value, p: SQRT_2_PI * jnp.exp(0.5 * value * value))
"""The inverse of Phi"""


def inv_erfc(x: Array) -> Array:
    """The inverse of erfc"""
    return -inv_Phi(0.5 * x) / SQRT_2


def _std_normal_log_qf(log_p: Array) -> Array:
    """By the quantile function where p doesn't underflow; below that by Newton's steps."""
    far, near = log_p < -300.0, log_p > -LOG_2
    middle = jsp.ndtri(jnp.exp(jnp.where(far | near, -1.0, log_p)))
    above = -jsp.ndtri(-jnp.expm1(jnp.where(near, log_p, -1.0)))
    square = jnp.where(far, -2.0 * log_p, 1000.0) - math.log(2.0 * math.pi)
    x = -jnp.sqrt(square - jnp.log(square))
    for _ in range(3):
        x = x - (_std_normal_lcdf(x) - log_p) / _normal_hazard(x)
    finite_far = far & (log_p > -jnp.inf)
    return jnp.where(near, above, jnp.where(finite_far, x, jnp.where(far, -jnp.inf, middle)))


std_normal_log_qf = with_partials(_std_normal_log_qf, lambda value, p: 1.0 / normal_hazard(value))
"""The inverse of std_normal_lcdf"""


def std_normal_lcdf_diff(high: Array, low: Array) -> Array:
    """log(Phi(high) - Phi(low)) for high > low, taken in the tail where both are small"""
    flip = low > 0
    upper, lower = jnp.where(flip, -low, high), jnp.where(flip, -high, low)
    return log_diff_exp(std_normal_lcdf(upper), std_normal_lcdf(lower))


_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(40)


def _owens_t_small(h: Array, a: Array) -> Array:
    """Owen's integral for h >= 0 and 0 <= a <= 1, by Gauss and Legendre's rule.

    (1 / 2 pi) int_0^a exp(-h^2 (1 + x^2) / 2) / (1 + x^2) dx, cut where h x = 9.
    """
    h, a = jnp.broadcast_arrays(h, a)
    end = jnp.minimum(a, 9.0 / jnp.maximum(h, 1e-300))
    squares = jnp.square(0.5 * end[..., None] * (1.0 + _NODES))
    heights = jnp.exp(-0.5 * (h * h)[..., None] * squares) / (1.0 + squares)
    return jnp.exp(-0.5 * h * h) * (heights @ _WEIGHTS) * end / (4.0 * math.pi)


def _owens_t(h: Array, a: Array) -> Array:
    """For |a| > 1 by T(h, a) = (Phi(h) + Phi(ah)) / 2 - Phi(h) Phi(ah) - T(ah, 1/a), a > 0, h > 0.

    Written with the tails Q = 1 - Phi: T = (Q(h) + Q(ah)) / 2 - Q(h) Q(ah) - T(ah, 1/a).
    """
    height, slope = jnp.abs(h), jnp.abs(a)
    steep = slope > 1.0
    inner = _owens_t_small(
        jnp.where(steep, slope * height, height),
        jnp.where(steep, 1.0 / jnp.where(steep, slope, 1.0), slope),
    )
    near, far = _std_normal_cdf(-height), _std_normal_cdf(-slope * height)
    value = jnp.where(steep, 0.5 * (near + far) - near * far - inner, inner)
    return jnp.sign(a) * value


owens_t = with_partials(
    _owens_t,
    lambda value, h, a: -0.5 * normal_density(h) * erf(a * h / SQRT_2),
    lambda value, h, a: jnp.exp(-0.5 * h * h * (1.0 + a * a)) / (2.0 * math.pi * (1.0 + a * a)),
)
"""Owen's T function: P(X > h and 0 < Y < a X) for independent standard normal X and Y"""
