"""The averaged Hessian of the log density, learned from gradients alone.

Each minibatch holds gradients at points scattered over the posterior's scale. A linear model of
them, grad log p(z) ~ b + B (z - loc), fitted by least squares, gives the average Hessian
B ~ E_q[hess log p] (exactly so when log p is quadratic) without one Hessian-vector product.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np
from jaxtyping import Float

from trustvi.families import MeanField
from trustvi.objective import Control, Gradient


class Curvature(Protocol):
    """An estimate of E_q[hess log p], kept in the coordinates of z."""

    def control(self, q: MeanField, slope: Float[np.ndarray, " dim"]) -> Control:
        """The quadratic c(x) = slope.x + x.S.x / 2 around `q`, S in local coordinates."""
        ...

    def learn(self, q: MeanField, sample: Gradient) -> Curvature:
        """The estimate after one more minibatch, whose `r` are what the present one left over."""
        ...

    def diagonal(self, q: MeanField) -> Float[np.ndarray, " dim"]:
        """The diagonal of S."""
        ...

    def apply(self, q: MeanField, x: Float[np.ndarray, " dim"]) -> Float[np.ndarray, " dim"]:
        """S @ x."""
        ...


class DenseCurvature(NamedTuple):
    """The whole matrix, for dimensions where its eigenvalues cost little.

    `weight` is the number of draws that the estimate is worth against new ones.
    """

    matrix: Float[np.ndarray, "dim dim"]
    weight: float

    def scaled(self, q: MeanField) -> Float[np.ndarray, "dim dim"]:
        scale = q.scale
        return scale[:, None] * self.matrix * scale

    def control(self, q: MeanField, slope: Float[np.ndarray, " dim"]) -> Control:
        return Control(
            q.loc, q.scale, slope, np.zeros_like(slope), self.scaled(q), np.zeros((0, 0))
        )

    def diagonal(self, q: MeanField) -> Float[np.ndarray, " dim"]:
        return q.scale**2 * np.diag(self.matrix)

    def apply(self, q: MeanField, x: Float[np.ndarray, " dim"]) -> Float[np.ndarray, " dim"]:
        return q.scale * (self.matrix @ (q.scale * x))

    def learn(self, q: MeanField, sample: Gradient) -> DenseCurvature:
        """Symmetric least squares, shrunk towards the present estimate.

        With A = cov(e) + kappa I and T = cov(r, e) A^-1, the correction T + T' - (P T + (P T)') / 2,
        P = cov(e) A^-1, is exact in the span of the draws when log p is quadratic and leaves
        the rest alone (the multi-secant form of Powell's symmetric Broyden update).
        """
        n = sample.draws
        e_mean, r_mean = sample.sums.e.sum(axis=1) / n, sample.sums.r.sum(axis=1) / n
        e_cov = sample.sums.e_outer_e / n - np.outer(e_mean, e_mean)
        r_e_cov = sample.sums.r_outer_e / n - np.outer(r_mean, e_mean)
        kappa = self.weight / n
        regularised = e_cov + kappa * np.eye(len(e_cov))
        t = np.linalg.solve(regularised, r_e_cov.T).T
        p = np.linalg.solve(regularised, e_cov).T
        overlap = p @ t
        change = t + t.T - 0.5 * (overlap + overlap.T)
        scale = q.scale
        return DenseCurvature(self.matrix + change / scale / scale[:, None], self.weight)
