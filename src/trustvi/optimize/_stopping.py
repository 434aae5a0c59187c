"""Where a fit may begin, and signs that it has nothing to converge to."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

from trustvi.families import Family
from trustvi.objective import PointDensity

ATTEMPTS = 100  # as Stan's initialisation

# exp(30) is 1e13: further than any posterior of a proper model on an unconstrained scale reaches,
# and near where changes of a log density of that size drown in rounding. exp(-70) is 4e-31.
GREATEST_LOG_SCALE, LEAST_LOG_SCALE = 30.0, -70.0
# A location beyond 1e16 has lost its unit digit.
GREATEST_LOC = 1e16


def runaway(q: Family) -> bool:
    """Whether a scale or a location has left every plausible range: the ELBO has no maximum."""
    inside = (q.log_widths < GREATEST_LOG_SCALE) & (q.log_widths > LEAST_LOG_SCALE)
    return not bool(np.all(inside & (np.abs(q.loc) < GREATEST_LOC)))


def too_large_to_judge(value: float, tol: float) -> bool:
    """Whether rounding alone moves a log density of this size by more than the tolerance."""
    return not abs(value) * np.finfo(float).eps < tol


def find_finite_start(
    density: PointDensity,
    dim: int,
    given: Float[np.ndarray, " dim"] | None,
    seed: int | tuple[int, ...],
) -> tuple[Float[np.ndarray, " dim"] | None, int]:
    """A point with finite density and gradient, and how many evaluations finding it took.

    As Stan does: a uniform draw from [-2, 2] in each coordinate, up to 100 times; the later half
    of the attempts draw closer and closer to the origin.
    """
    if given is not None:
        return (given if _finite(density, given) else None), 1
    rng = np.random.default_rng(seed)
    for attempt in range(ATTEMPTS):
        shrink = min(1.0, 2.0 ** (-(attempt - ATTEMPTS / 2) / 8))
        theta = shrink * rng.uniform(-2.0, 2.0, dim)
        if _finite(density, theta):
            return theta, attempt + 1
    return None, ATTEMPTS


def _finite(density: PointDensity, theta: Float[np.ndarray, " dim"]) -> bool:
    value, gradient = density(theta)
    return bool(np.isfinite(value) and np.all(np.isfinite(gradient)))
