"""Explicit Runge-Kutta steps with embedded error estimates.

For stages i = 1..s: k_i = f(t + c_i h, y + h sum_j a_ij k_j). The last stage is taken at the new
state itself, so its slope is the first one of the next step.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from trustvi.stan.library import _ode_order8 as order8


@dataclass(frozen=True)
class Tableau:
    """Coefficients: row i of `weights` makes stage i from the slopes before it, a row of `errors`
    an estimate of the error. `order` is the power of the step size in the error."""

    order: int
    nodes: NDArray[np.float64]
    weights: NDArray[np.float64]
    errors: NDArray[np.float64]


def _tableau(
    order: int, nodes: list[float], rows: list[list[float]], *errors: list[float]
) -> Tableau:
    size = len(nodes) + 1
    weights = np.array([row + [0.0] * (size - len(row)) for row in rows])
    return Tableau(order, np.array(nodes), weights, np.array(errors))


# J. R. Dormand, P. J. Prince, "A family of embedded Runge-Kutta formulae", 1980, table 2.
DORMAND_PRINCE = _tableau(
    5,
    [1 / 5, 3 / 10, 4 / 5, 8 / 9, 1.0, 1.0],
    [
        [1 / 5],
        [3 / 40, 9 / 40],
        [44 / 45, -56 / 15, 32 / 9],
        [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729],
        [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656],
        [35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84],
    ],
    [71 / 57600, 0.0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40],
)

# J. R. Cash, A. H. Karp, "A variable order Runge-Kutta method", 1990.
CASH_KARP = _tableau(
    5,
    [1 / 5, 3 / 10, 3 / 5, 1.0, 7 / 8, 1.0],
    [
        [1 / 5],
        [3 / 40, 9 / 40],
        [3 / 10, -9 / 10, 6 / 5],
        [-11 / 54, 5 / 2, -70 / 27, 35 / 27],
        [1631 / 55296, 175 / 512, 575 / 13824, 44275 / 110592, 253 / 4096],
        [37 / 378, 0.0, 250 / 621, 125 / 594, 0.0, 512 / 1771],
    ],
    [
        37 / 378 - 2825 / 27648,
        0.0,
        250 / 621 - 18575 / 48384,
        125 / 594 - 13525 / 55296,
        -277 / 14336,
        512 / 1771 - 1 / 4,
        0.0,
    ],
)

ORDER_8 = _tableau(8, order8.NODES, order8.STAGES, order8.ERROR_5, order8.ERROR_3)
"""Twelve stages a step, worth it for tight tolerances."""


def explicit_step(
    tableau: Tableau, slope: Callable[[Any, Any], Any], t: Any, h: Any, state: tuple[Any, Any]
) -> tuple[tuple[Any, Any], Any]:
    """From (y, y') at t to (y, y') at t + h, and the estimates of y's error on a first axis.

    The stages are written out: as a loop over slopes in one array, XLA compiles them in a third of
    the time and runs them, copying that array, in five times as much.
    """
    y, first = state
    slope = jax.jit(slope)  # traced once for all stages
    slopes, inner = [first], y
    for node, weights in zip(tableau.nodes, tableau.weights, strict=True):
        inner = y + h * _mixed(weights, slopes)
        slopes.append(slope(t + node * h, inner))
    errors = jnp.stack([h * _mixed(error, slopes) for error in tableau.errors])
    return (inner, slopes[-1]), errors


def _mixed(weights: NDArray[np.float64], slopes: list[Any]) -> Any:
    """The sum of the slopes so far, weighted."""
    pairs = zip(weights.tolist(), slopes, strict=False)
    return sum(weight * each for weight, each in pairs if weight != 0.0)
