"""Newton steps on the log density with its exact Hessian, where quasi-Newton steps came short.

Scales that differ by many orders of magnitude, or near-collinear parameters, defeat a climb of a
few dozen gradients; a Hessian by products, one for each coordinate, sees through both.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from jaxtyping import Float

from trustvi.objective import GRADIENT_DRAWS, Ledger, PointDensity
from trustvi.optimize._lbfgs import Point
from trustvi.optimize._subproblem import Outcome, solve_dense

# What Hessians may cost in all, in oracle calls; the first is always allowed.
CALLS = 2.5
MOST_HESSIANS = 60
# A step from where the Hessian is indefinite that gains less than this share of the dimension runs
# on into a corner: the typical set lies dim / 2 nats under a mode.
CORNER_SHARE, CORNER_DIM = 0.25, 5
TRIALS = 6
# Later Hessians are differenced with this share of each coordinate's scale in the one before: far
# above rounding, far below where the Hessian changes. A gradient costs a sixth of a product.
DIFFERENCE = 1e-4
# Trust-region constants: Nocedal and Wright 2006, algorithm 4.1.
ACCEPT, GOOD = 0.1, 0.75


class Polished(NamedTuple):
    """Where Newton's method came to, with its Hessian there, and what that cost."""

    end: Point
    hessian: Float[np.ndarray, "dim dim"]
    ledger: Ledger
    gain_left: float
    """What the next step promises; infinite where the Hessian is not negative definite."""


def polish(
    density: PointDensity, start: Point, gain: float, *,
    hessian: Float[np.ndarray, "dim dim"] | None = None,
    scale: Float[np.ndarray, " dim"] | None = None, calls: float = CALLS,
) -> Polished:  # fmt: skip
    """Trust-region Newton steps from `start` until one promises less than `gain`.

    The region is a ball after scaling by the Hessian's diagonal; it starts without bound, since on
    a quadratic the first step is the last. The first Hessian is the one given, or is differenced
    with steps small against `scale`, or made of products. All of it is equivariant under affine
    maps: from far out a location reaches its place while a log scale moves by about one half.
    """
    dim = start.x.size
    at, radius = start, np.inf
    hessian, ledger = _first_hessian(density, at, hessian, scale)
    for _ in range(MOST_HESSIANS):
        scale = _jacobi(hessian)
        concave = _concave(hessian * scale[:, None] * scale)
        if not concave and np.isinf(radius):
            radius = float(np.sqrt(dim))
        found, radius, spent, promise = _trust_step(density, at, hessian, scale, radius, gain)
        ledger = ledger.add(gradients=spent)
        next_cost = (dim + 1) / GRADIENT_DRAWS
        if found is None or ledger.oracle_calls + next_cost > calls:
            return Polished(at if found is None else found, hessian, ledger, promise)
        if not concave and found.value - at.value < CORNER_SHARE * max(dim, CORNER_DIM):
            return Polished(found, hessian, ledger, promise)
        at = found
        hessian = density.differenced_hessian(at.x, DIFFERENCE * scale)
        ledger = ledger.add(gradients=dim + 1)
    return Polished(at, hessian, ledger, np.inf)


def _first_hessian(
    density: PointDensity, at: Point, hessian: Float[np.ndarray, "dim dim"] | None,
    scale: Float[np.ndarray, " dim"] | None,
) -> tuple[Float[np.ndarray, "dim dim"], Ledger]:  # fmt: skip
    if hessian is not None:
        return hessian, Ledger()
    if scale is not None:
        hessian = density.differenced_hessian(at.x, DIFFERENCE * scale)
        cost, own = Ledger(gradients=at.x.size + 1), _jacobi(hessian)
        # Guessed scales may be so far off that steps drown in rounding: those found are nearer.
        if np.any(own * DIFFERENCE > scale) or np.any(own < DIFFERENCE * scale):
            hessian = density.differenced_hessian(at.x, DIFFERENCE * own)
            cost = cost.add(gradients=at.x.size + 1)
        return hessian, cost
    return density.hessian(at.x), Ledger(products=at.x.size)


def _concave(matrix: Float[np.ndarray, "dim dim"]) -> bool:
    return bool(np.all(np.isfinite(matrix))) and float(np.linalg.eigvalsh(matrix).max()) < 0


def _jacobi(hessian: Float[np.ndarray, "dim dim"]) -> Float[np.ndarray, " dim"]:
    diagonal = np.abs(np.diag(hessian))
    return 1.0 / np.sqrt(np.where(diagonal > 0, diagonal, 1.0))


def _trust_step(
    density: PointDensity, at: Point, hessian: Float[np.ndarray, "dim dim"],
    scale: Float[np.ndarray, " dim"], radius: float, gain: float,
) -> tuple[Point | None, float, int, float]:  # fmt: skip
    """A point with enough gain, the next radius, gradients spent, and what a free step promises."""
    if not np.all(np.isfinite(hessian)):
        return None, radius, 0, np.inf
    g, h = at.gradient * scale, hessian * scale[:, None] * scale
    promise = np.inf
    for trial in range(TRIALS):
        step = solve_dense(h, g, radius)
        if step.outcome is Outcome.INTERIOR:
            promise = step.gain
            if promise < gain:
                return None, radius, trial, promise
        if not step.gain > 0:
            return None, radius, trial, promise
        x = at.x + scale * step.s
        there = Point(x, *density(x))
        ratio = (there.value - at.value) / step.gain if there.finite else -1.0
        length = float(np.linalg.norm(step.s))
        if ratio >= ACCEPT:
            return there, 2 * radius if ratio > GOOD else radius, trial + 1, promise
        radius = 0.25 * min(length, radius)
    return None, radius, TRIALS, np.inf
