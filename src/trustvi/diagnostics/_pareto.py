"""The generalised Pareto distribution fitted to many tails at once."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from jaxtyping import Float

# Grid points beyond the square root of the sample size (Vehtari et al. 2024, appendix G, use ten
# more than Zhang and Stephens 2009), and the divisor of the prior's scale (the latter, section 3).
GRID_LEAST, PRIOR_DIVISOR = 30, 3.0
# Vehtari et al. (2024), appendix G: the shape is drawn towards 1/2 as by ten more observations.
SHAPE_PRIOR, PRIOR_WEIGHT = 0.5, 10.0


class Pareto(NamedTuple):
    """Shapes k and scales: P(X > x) = (1 + k x / scale)^(-1/k), one a row of observations."""

    shape: Float[np.ndarray, " rows"]
    scale: Float[np.ndarray, " rows"]

    def quantile(self, p: Float[np.ndarray, " points"]) -> Float[np.ndarray, "rows points"]:
        """scale ((1 - p)^-k - 1) / k, and its limit for an exponential tail."""
        log_tail = -np.log1p(-p)[None, :]
        k = self.shape[:, None]
        grown = np.where(np.abs(k) < 1e-12, log_tail, np.expm1(k * log_tail) / np.where(k, k, 1.0))
        return self.scale[:, None] * grown


def fit_pareto(x: Float[np.ndarray, "rows n"], *, prior: bool = True) -> Pareto:
    """Posterior means of shape and scale given excesses `x`, sorted upwards in each row.

    With theta = -k / scale the likelihood's profile is n (log(-theta / k) - k - 1), where
    k = mean(log(1 - theta x)); theta is averaged over a grid under a prior that depends on the
    data (Zhang and Stephens 2009, "A new and efficient estimation method for the generalized
    Pareto distribution"). With `prior` the shape is then drawn a little towards 1/2.
    """
    n = x.shape[1]
    m = GRID_LEAST + int(np.sqrt(n))
    quartile, largest = x[:, int(n / 4 + 0.5) - 1, None], x[:, -1:]
    points = (np.arange(1, m + 1) - 0.5)[None, :]
    theta = 1 / largest + (1 - np.sqrt(m / points)) / (PRIOR_DIVISOR * quartile)
    shapes = np.stack([_shape(column[:, None], x) for column in theta.T], axis=1)
    profile = n * (np.log(-theta / shapes) - shapes - 1)
    weights = np.exp(profile - profile.max(axis=1, keepdims=True))
    best = np.sum(weights * theta, axis=1, keepdims=True) / weights.sum(axis=1, keepdims=True)
    shape = _shape(best, x)
    scale = -shape / best[:, 0]
    if prior:
        shape = (n * shape + PRIOR_WEIGHT * SHAPE_PRIOR) / (n + PRIOR_WEIGHT)
    return Pareto(shape, scale)


def _shape(
    theta: Float[np.ndarray, "rows 1"], x: Float[np.ndarray, "rows n"]
) -> Float[np.ndarray, " rows"]:
    return np.mean(np.log1p(-theta * x), axis=1)
