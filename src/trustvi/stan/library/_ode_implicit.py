"""Implicit Runge-Kutta steps for stiff and for differential-algebraic equations.

Radau IIA of order 5 with three stages (E. Hairer, G. Wanner, "Solving Ordinary Differential
Equations II", section IV.8): L-stable, its last stage is the new state. For F(t, y, y') = 0 the
stages' slopes k_i solve F(t + c_i h, y + h sum_j a_ij k_j, k_i) = 0.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import jax.scipy.linalg as jsl
import numpy as np

ROOT6 = np.sqrt(6.0)
NODES = np.array([(4 - ROOT6) / 10, (4 + ROOT6) / 10, 1.0])
WEIGHTS = np.array(
    [
        [(88 - 7 * ROOT6) / 360, (296 - 169 * ROOT6) / 1800, (-2 + 3 * ROOT6) / 225],
        [(296 + 169 * ROOT6) / 1800, (88 + 7 * ROOT6) / 360, (-2 - 3 * ROOT6) / 225],
        [(16 - ROOT6) / 36, (16 + ROOT6) / 36, 1 / 9],
    ]
)
# The real eigenvalue of WEIGHTS: the weight of the old slope in the embedded formula of order 3.
OLD_SLOPE = float(next(v.real for v in np.linalg.eigvals(WEIGHTS) if abs(v.imag) < 1e-12))
# Embedded minus main weights; the embedded ones integrate 1, t and t^2 exactly.
ERROR = np.linalg.solve(NODES ** np.arange(3)[:, None], [1 - OLD_SLOPE, 1 / 2, 1 / 3]) - WEIGHTS[2]
MAX_NEWTON = 10
NEWTON_TOLERANCE = 1e-3
"""Stages are solved this much more accurately than steps have to be."""

Residual = Callable[[Any, Any, Any, Any], Any]
"""F(theta, t, y, y')."""


def implicit_step(
    residual: Residual,
    theta: Any,
    t: Any,
    h: Any,
    state: tuple[Any, Any],
    scale: Callable[[Any], Any],
) -> tuple[tuple[Any, Any], Any]:
    """From (y, y') at t to (y, y') at t + h, and the estimate of y's error on a first axis.

    `scale(y)` is the error of y that is tolerated.
    """
    y, slope = state
    slopes = stage_slopes(residual, scale, theta, t, h, y, slope)
    new = y + h * jnp.tensordot(WEIGHTS[2], slopes, 1)
    raw = h * (OLD_SLOPE * slope + jnp.tensordot(ERROR, slopes, 1))
    return (new, slopes[2]), _filtered(residual, theta, t, h, state, raw)[None]


def _filtered(residual: Residual, theta: Any, t: Any, h: Any, state: Any, raw: Any) -> Any:
    """(F_y' + gamma h F_y)^-1 F_y' raw: what is left of `raw` in the stiff directions."""
    by_y, by_slope = jax.lax.stop_gradient(_partials(residual, theta, t, *state))
    matrix = by_slope + OLD_SLOPE * jax.lax.stop_gradient(h) * by_y
    return jnp.linalg.solve(matrix, by_slope @ raw)


def _partials(residual: Residual, theta: Any, t: Any, y: Any, slope: Any) -> tuple[Any, Any]:
    """F_y and F_y'."""
    return jax.jacfwd(residual, argnums=(2, 3))(theta, t, y, slope)


def _stages(residual: Residual, theta: Any, t: Any, h: Any, y: Any, slopes: Any) -> Any:
    """F at all stages."""
    inner = y + h * jnp.tensordot(WEIGHTS, slopes, 1)
    return jax.vmap(residual, (None, 0, 0, 0))(theta, t + NODES * h, inner, slopes)


def _newton_matrix(h: Any, by_y: Any, by_slope: Any) -> Any:
    """The Jacobian of the stages with respect to all slopes, (3n, 3n); partials are (3, n, n)."""
    blocks = h * WEIGHTS[:, None, :, None] * by_y[:, :, None, :]
    blocks += np.eye(3)[:, None, :, None] * by_slope[:, :, None, :]
    size = 3 * by_y.shape[-1]
    return blocks.reshape(size, size)


def stage_slopes(
    residual: Residual,
    scale: Callable[[Any], Any],
    theta: Any,
    t: Any,
    h: Any,
    y: Any,
    slope: Any,
) -> Any:
    """The slopes (3, n) that solve the stages' equations; NaN where Newton's method fails.

    Differentiated by the implicit function theorem, with the Jacobian at the solution.
    """

    @jax.custom_jvp
    def solve(theta: Any, t: Any, h: Any, y: Any, slope: Any) -> Any:
        return _simplified_newton(residual, theta, t, h, y, slope, scale(y))

    @solve.defjvp
    def rule(primals: Any, tangents: Any) -> tuple[Any, Any]:
        slopes = solve(*primals)
        theta, t, h, y, _ = primals

        def equations(theta: Any, t: Any, h: Any, y: Any) -> Any:
            return _stages(residual, theta, t, h, y, slopes)

        pushed = jax.jvp(equations, primals[:-1], tangents[:-1])[1]
        inner = y + h * jnp.tensordot(WEIGHTS, slopes, 1)
        partials = jax.vmap(lambda t, y, slope: _partials(residual, theta, t, y, slope))(
            t + NODES * h, inner, slopes
        )
        change = jnp.linalg.solve(_newton_matrix(h, *partials), pushed.reshape(-1))
        return slopes, -change.reshape(slopes.shape)

    return solve(theta, t, h, y, slope)


def _simplified_newton(
    residual: Residual, theta: Any, t: Any, h: Any, y: Any, slope: Any, tolerated: Any
) -> Any:
    """Newton's iteration with the Jacobian at the beginning of the step."""
    by_y, by_slope = _partials(residual, theta, t, y, slope)
    stacked = [jnp.broadcast_to(each, (3, *each.shape)) for each in (by_y, by_slope)]
    factors = jsl.lu_factor(_newton_matrix(h, *stacked))

    def unfinished(carry: tuple[Any, Any, Any]) -> Any:
        _, size, count = carry
        return (size > NEWTON_TOLERANCE) & (count < MAX_NEWTON)

    def iterate(carry: tuple[Any, Any, Any]) -> tuple[Any, Any, Any]:
        slopes, _, count = carry
        change = jsl.lu_solve(factors, _stages(residual, theta, t, h, y, slopes).reshape(-1))
        change = change.reshape(slopes.shape)
        return slopes - change, jnp.max(jnp.abs(h * change) / tolerated), count + 1

    start = (jnp.broadcast_to(slope, (3, *slope.shape)), jnp.inf, 0)
    slopes, size, _ = jax.lax.while_loop(unfinished, iterate, start)
    return jnp.where(size <= NEWTON_TOLERANCE, slopes, jnp.nan)
