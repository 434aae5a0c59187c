"""The averaged Hessian of the log density, learned from gradients alone.

Each minibatch holds gradients at points scattered over the posterior's scale. A linear model of
them, grad log p(z) ~ b + B (z - loc), fitted by least squares, gives the average Hessian
B ~ E_q[hess log p] (exactly so when log p is quadratic) without one Hessian-vector product.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np
from jaxtyping import Float

from trustvi.families import Family, Seen
from trustvi.objective import Control, Gradient

Vector = Float[np.ndarray, " dim"]

# A matrix of this many rows and its eigenvalues cost less than one oracle call of most models of
# that dimension; above it only the diagonal is kept and quasi-Newton pairs do the rest.
DENSE_DIM = 300
# Draws that an estimate is worth against a new minibatch: low, because q has moved since.
PRIOR_DRAWS = 4.0


class Spectrum(NamedTuple):
    """Eigenvalues of S in local coordinates; no vectors where S is diagonal."""

    values: Vector
    vectors: Float[np.ndarray, "dim dim"] | None

    def rotate(self, x: Float[np.ndarray, "dim *k"]) -> Float[np.ndarray, "dim *k"]:
        return x if self.vectors is None else self.vectors.T @ x

    def back(self, x: Float[np.ndarray, "dim *k"]) -> Float[np.ndarray, "dim *k"]:
        return x if self.vectors is None else self.vectors @ x


@runtime_checkable
class Curvature(Protocol):
    """An estimate of E_q[hess log p], kept in the coordinates of z; S is it in local ones."""

    def control(self, q: Family, slope: Vector) -> Control: ...

    def diagonal(self, q: Family) -> Vector: ...

    def apply(self, q: Family, x: Float[np.ndarray, "dim *k"]) -> Float[np.ndarray, "dim *k"]: ...

    def spectrum(self, q: Family) -> Spectrum: ...

    def learn(self, q: Family, sample: Gradient, made_with: Curvature) -> Curvature: ...


class DenseCurvature(NamedTuple):
    """The whole matrix, for dimensions where its eigenvalues cost little."""

    matrix: Float[np.ndarray, "dim dim"]
    weight: float = PRIOR_DRAWS

    def scaled(self, q: Family) -> Float[np.ndarray, "dim dim"]:
        return q.congruent(self.matrix)

    def control(self, q: Family, slope: Vector) -> Control:
        return Control(q.frame, slope, np.zeros_like(slope), self.scaled(q))

    def diagonal(self, q: Family) -> Vector:
        return q.congruent_diagonal(self.matrix)

    def apply(self, q: Family, x: Float[np.ndarray, "dim *k"]) -> Float[np.ndarray, "dim *k"]:
        return self.scaled(q) @ x

    def spectrum(self, q: Family) -> Spectrum:
        return Spectrum(*np.linalg.eigh(self.scaled(q)))

    def learn(self, q: Family, sample: Gradient, made_with: Curvature) -> DenseCurvature:
        """Symmetric least squares on a minibatch, shrunk towards the present estimate.

        With A = cov(x) + kappa I, T = cov(r, x) A^-1 and P = cov(x) A^-1, the correction
        T + T' - (P T + (P T)') / 2 is exact in the span of the draws when log p is quadratic and
        leaves the rest alone: the multi-secant form of Powell's symmetric Broyden update.
        """
        n, sums = sample.draws, sample.sums
        x_mean, r_mean = sums.x.sum(axis=1) / n, sums.r.sum(axis=1) / n
        x_cov = sums.x_outer_x / n - np.outer(x_mean, x_mean)
        r_cov = sums.r_outer_x / n - np.outer(r_mean, x_mean)
        r_cov = r_cov + (made_with.apply(q, x_cov) - self.apply(q, x_cov))
        ridge = x_cov + self.weight / n * np.eye(len(x_cov))
        t = np.linalg.solve(ridge, r_cov.T).T
        overlap = np.linalg.solve(ridge, x_cov).T @ t
        change = t + t.T - 0.5 * (overlap + overlap.T)
        return DenseCurvature(self.matrix + q.uncongruent(change))


class DiagonalCurvature(NamedTuple):
    """B = -1 / scale^2, what it is on the diagonal at the optimum, for high dimensions."""

    matrix: Vector

    def control(self, q: Family, slope: Vector) -> Control:
        return Control(q.frame, slope, self.diagonal(q), np.zeros((slope.size, 0)))

    def diagonal(self, q: Family) -> Vector:
        return q.scaling**2 * self.matrix

    def apply(self, q: Family, x: Float[np.ndarray, "dim *k"]) -> Float[np.ndarray, "dim *k"]:
        s = self.diagonal(q)
        return s.reshape(-1, *([1] * (x.ndim - 1))) * x

    def spectrum(self, q: Family) -> Spectrum:
        return Spectrum(self.diagonal(q), None)

    def learn(self, q: Family, sample: Gradient, made_with: Curvature) -> DiagonalCurvature:
        del sample, made_with
        return DiagonalCurvature(-q.precision_diagonal())


def expected_square(curvature: Curvature, home: Family, q: Family) -> float:
    """E_q[x'Sx] - m'Sm with x the coordinate of `home` and m its mean under `q`."""
    return _square(curvature, home, q.seen_from(home))


def expected_growth(curvature: Curvature, before: Family, after: Family) -> float:
    """`expected_square` under `after` less that under `before`, in the coordinate of `before`."""
    seen, own = after.seen_from(before), before.seen_from(before)
    return _square(curvature, before, seen._replace(variances=seen.variances - own.variances)) - (
        _square(curvature, before, own._replace(variances=np.zeros_like(own.variances)))
    )


def _square(curvature: Curvature, home: Family, seen: Seen) -> float:
    spread = float(np.sum(curvature.diagonal(home) * seen.variances))
    if seen.columns.shape[1] == 0:
        return spread
    return spread + float(np.sum(seen.columns * curvature.apply(home, seen.columns)))


def unlearned(precision: Vector) -> Curvature:
    """A curvature that knows the diagonal only."""
    if precision.size <= DENSE_DIM:
        return DenseCurvature(-np.diag(precision))
    return DiagonalCurvature(-precision)
