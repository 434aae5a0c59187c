"""Bessel functions on JAX arrays."""

from __future__ import annotations

import math

import jax
import jax.numpy as jnp
import numpy as np
from numpy.polynomial import Polynomial

from trustvi.stan.library._derivatives import Array, with_partials
from trustvi.stan.library._special_gamma import EULER
from trustvi.stan.library._special_gamma_core import polynomial

_RISE = 50
_TINY = 1e-300


def _debye_polynomials(number: int) -> tuple[tuple[float, ...], ...]:
    """U_k / p^k as polynomials in p^2, with U_0 = 1 and (DLMF 10.41.9)

    U_{k+1} = p^2 (1 - p^2) U_k' / 2 + int_0^p (1 - 5 t^2) U_k dt / 8.
    """
    polynomials = [Polynomial([1.0])]
    for _ in range(number):
        last = polynomials[-1]
        rise = Polynomial([0.0, 0.0, 0.5, 0.0, -0.5]) * last.deriv()
        polynomials.append(rise + (Polynomial([0.125, 0.0, -0.625]) * last).integ())
    return tuple(tuple(each.coef[k::2].tolist()) for k, each in enumerate(polynomials))


_DEBYE = _debye_polynomials(9)


def _log_debye(order: Array, z: Array) -> Array:
    """log I for orders of 50 and more, by Debye's uniform expansion (DLMF 10.41.3)."""
    ratio = z / order
    root = jnp.sqrt(1.0 + ratio * ratio)
    p = 1.0 / root
    total = sum(polynomial(u, p * p) * (p / order) ** k for k, u in enumerate(_DEBYE))
    exponent = order * (root + jnp.log(ratio / (1.0 + root)))
    return exponent - 0.5 * jnp.log(2.0 * math.pi * order * root) + jnp.log(total)


def _log_i_and_ratio(order: Array, z: Array) -> tuple[Array, Array]:
    """log I_order(z) and I_{order+1}(z) / I_order(z) for order >= -1 and z > 0.

    From order + 50 downwards by the ratios r_k = I_{k+1} / I_k = 1 / (2 (k + 1) / z + r_{k+1}),
    which is stable.
    """
    order, z = jnp.broadcast_arrays(jnp.asarray(order, float), z)
    top = order + _RISE
    start, after = _log_debye(jnp.stack([top, top + 1.0]), jnp.stack([z, z]))

    def descend(k: Array, state: tuple[Array, Array]) -> tuple[Array, Array]:
        value, ratio = state
        ratio = 1.0 / (2.0 * (top - k.astype(z.dtype)) / z + ratio)
        return value - jnp.log(ratio), ratio

    return jax.lax.fori_loop(0, _RISE, descend, (start, jnp.exp(after - start)))


def _log_modified_bessel_first_kind(order: Array, z: Array) -> Array:
    value = _log_i_and_ratio(order, jnp.maximum(z, _TINY))[0]
    return jnp.where(z > 0.0, value, jnp.where(order == 0.0, 0.0, -jnp.inf))


log_modified_bessel_first_kind = with_partials(_log_modified_bessel_first_kind, None, None)
"""log I_order(z) for order >= -1 and z >= 0"""


def modified_bessel_first_kind(order: Array, z: Array) -> Array:
    """I_order(z) for integer orders: even or odd in z as the order is."""
    value = jnp.exp(log_modified_bessel_first_kind(jnp.abs(order), jnp.abs(z)))
    return jnp.where((z < 0.0) & (order % 2 != 0), -value, value)


def _i_ratio_slope(value: Array, z: Array) -> Array:
    """1 - r / z - r^2, and 1/2 at 0, where r is nearly z / 2."""
    small = jnp.abs(z) < 1e-4
    over = jnp.where(small, 0.5 - z * z / 16.0, value / jnp.where(small, 1.0, z))
    return 1.0 - over - value * value


_i_ratio = with_partials(lambda z: jax.lax.bessel_i1e(z) / jax.lax.bessel_i0e(z), _i_ratio_slope)

log_i0 = with_partials(
    lambda z: jnp.abs(z) + jnp.log(jax.lax.bessel_i0e(z)), lambda value, z: _i_ratio(z)
)
"""log I_0(z)"""

log_scaled_i0 = with_partials(
    lambda z: jnp.log(jax.lax.bessel_i0e(z)), lambda value, z: _i_ratio(z) - jnp.sign(z)
)
"""log(exp(-|z|) I_0(z))"""

_K_NODES = 256


def modified_bessel_second_kind(order: Array, z: Array) -> Array:
    """K_order(z) = int_0^inf exp(-z cosh t) cosh(order t) dt, by the trapezoidal rule.

    The rule's error falls as exp(-pi^2 / step), so a few hundred nodes reach rounding.
    """
    order, z = jnp.broadcast_arrays(jnp.abs(jnp.asarray(order, float)), z)
    reach = (800.0 + 8.0 * order * (1.0 + jnp.log1p(order / z))) / z
    end = jax.lax.stop_gradient(jnp.arcsinh(reach))[..., None]
    t = end * (np.arange(_K_NODES) / (_K_NODES - 1.0))
    weight = np.where(np.arange(_K_NODES) == 0, 0.25, 0.5)
    shift, steep = order[..., None] * t, z[..., None] * jnp.cosh(t)
    heights = jnp.exp(shift - steep) + jnp.exp(-shift - steep)
    return (heights @ weight) * end[..., 0] / (_K_NODES - 1.0)


_RESCALE = 1e150


def _miller_weights(order: Array) -> tuple[Array, Array, Array]:
    """What J_order counts in 1 = J_0 + 2 sum_k J_2k and in Neumann's sums (DLMF 10.23.14-15)

    - sum_k (-1)^k 2 J_2k / k and - sum_k (-1)^k (2k + 1) J_{2k+1} / (k (k + 1)), k >= 1.
    """
    k = jnp.floor(0.5 * order)
    even, later = order % 2.0 == 0.0, k > 0.0
    sign = jnp.where(k % 2.0 == 0.0, -1.0, 1.0)
    positive = jnp.maximum(k, 1.0)
    norm = jnp.where(even, jnp.where(later, 2.0, 1.0), 0.0)
    zeroth = jnp.where(even & later, 2.0 * sign / positive, 0.0)
    share = sign * (2.0 * positive + 1.0) / (positive * (positive + 1.0))
    return norm, zeroth, jnp.where(~even & later, share, 0.0)


def _miller(order: Array, z: Array) -> tuple[Array, ...]:
    """J_order, J_0, J_1 and Neumann's two sums at z, by Miller's backward recurrence."""
    order, z = jnp.broadcast_arrays(order, z)
    top = jnp.maximum(jnp.max(order), jnp.max(jnp.abs(z)))
    start = jnp.ceil(top + 6.0 * jnp.cbrt(top) + 30.0)

    def step(state: tuple[Array, ...]) -> tuple[Array, ...]:
        k, above, here, wanted, *sums = state
        below = 2.0 * k / z * here - above
        wanted = jnp.where(order == k - 1.0, below, wanted)
        weights = _miller_weights(k - 1.0)
        sums = [total + weight * below for total, weight in zip(sums, weights, strict=True)]
        scale = jnp.where(jnp.abs(below) > _RESCALE, 1.0 / _RESCALE, 1.0)
        return k - 1.0, *(each * scale for each in (here, below, wanted, *sums))

    zero = jnp.zeros_like(z)
    first = (start, zero, jnp.full_like(z, _TINY), zero, zero, zero, zero)
    state = jax.lax.while_loop(lambda state: state[0] > 0.0, step, first)
    _, one, zeroth, wanted, norm, *sums = state
    return tuple(each / norm for each in (wanted, zeroth, one, *sums))


def _bessel_first(order: Array, z: Array) -> Array:
    size = jnp.abs(jnp.asarray(order, float))
    value = _miller(size, jnp.where(z == 0.0, 1.0, z))[0]
    value = jnp.where(z == 0.0, jnp.where(size == 0.0, 1.0, 0.0), value)
    return jnp.where((order < 0) & (size % 2.0 == 1.0), -value, value)


def _second_of_orders_0_and_1(z: Array) -> tuple[Array, Array]:
    """Neumann's series (DLMF 10.8.1 and 10.23.14-15, A&S 9.1.88)."""
    _, zeroth, one, sum_0, sum_1 = _miller(jnp.zeros_like(z), z)
    log = jnp.log(0.5 * z) + EULER
    value_0 = 2.0 / math.pi * (log * zeroth + sum_0)
    return value_0, 2.0 / math.pi * ((log - 1.0) * one + sum_1 - zeroth / z)


def _bessel_second(order: Array, z: Array) -> Array:
    """From orders 0 and 1 upwards by the recurrence."""
    order, z = jnp.broadcast_arrays(jnp.asarray(order, float), z)
    before, here = _second_of_orders_0_and_1(z)
    top = jnp.max(jnp.abs(order))

    def step(state: tuple[Array, ...]) -> tuple[Array, ...]:
        k, before, here, wanted = state
        after = 2.0 * k / z * here - before
        return k + 1.0, here, after, jnp.where(jnp.abs(order) == k + 1.0, after, wanted)

    state = (jnp.ones_like(top), before, here, jnp.where(order == 0.0, before, here))
    value = jax.lax.while_loop(lambda state: state[0] < top, step, state)[3]
    return jnp.where((order < 0.0) & (order % 2.0 == 1.0), -value, value)


bessel_first_kind = with_partials(
    _bessel_first,
    lambda value, order, z: jnp.zeros_like(value),
    lambda value, order, z: (
        0.5 * (bessel_first_kind(order - 1, z) - bessel_first_kind(order + 1, z))
    ),
)
"""J_order(z) for integer orders"""

bessel_second_kind = with_partials(
    _bessel_second,
    lambda value, order, z: jnp.zeros_like(value),
    lambda value, order, z: (
        0.5 * (bessel_second_kind(order - 1, z) - bessel_second_kind(order + 1, z))
    ),
)
"""Y_order(z) for integer orders and z > 0"""
