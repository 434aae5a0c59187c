"""Gaussians with any covariance: z = loc + L e, L lower triangular with a positive diagonal."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import jax.numpy as jnp
import numpy as np
from jaxtyping import Float
from scipy.linalg import solve_triangular

from trustvi.families._family import Bend, Either, Family, Matrix, Seen, Shape, Vector
from trustvi.families._meanfield import LEAST_PULL, LOG_2PI_E, SQRT2, MeanField


class Triangular(NamedTuple):
    """z = loc + factor x, x = e. The inverse comes along, since kernels whiten often."""

    loc: Float[Either, " dim"]
    factor: Float[Either, "dim dim"]
    inverse: Float[Either, "dim dim"]

    def spread(self, e: Float[Either, "dim draws"]) -> Float[Either, "dim draws"]:
        return e

    def place(self, x: Float[Either, "dim draws"]) -> Float[Either, "dim draws"]:
        return self.loc[:, None] + self.factor @ x

    def whiten(self, z: Float[Either, "dim draws"]) -> Float[Either, "dim draws"]:
        return self.inverse @ (z - self.loc[:, None])

    def pull(self, g: Float[Either, "dim draws"]) -> Float[Either, "dim draws"]:
        return self.factor.T @ g

    def shape(
        self, y: Float[Either, "dim draws"], e: Float[Either, "dim draws"]
    ) -> Float[Either, "shape draws"]:
        """The symmetric part of y e': its mean is the average Hessian in x (Stein's identity)."""
        rows, columns = np.tril_indices(y.shape[0], -1)
        below = 0.5 * (y[rows] * e[columns] + y[columns] * e[rows])
        return _stack(y * e, below)

    def displaced(
        self, u: Float[Either, " dim"], w: Float[Either, " shape"], e: Float[Either, "dim draws"]
    ) -> Float[Either, "dim draws"]:
        """L (u + T e), T lower triangular with exp(w / sqrt 2) on its diagonal and w below."""
        dim = e.shape[0]
        below = jnp.zeros((dim, dim)).at[np.tril_indices(dim, -1)].set(w[dim:])
        turned = jnp.exp(w[:dim] / SQRT2)[:, None] * e + below @ e
        return self.place(u[:, None] + turned)

    def volume(self, w: Float[Either, " shape"]) -> Float[Either, ""]:
        return jnp.sum(w[: self.loc.shape[0]]) / SQRT2


class FullRank(NamedTuple):
    """One member of the family, and the geometry of its neighbourhood.

    The parameters are loc, and L by the entries below its diagonal and the logarithms on it. A
    step of the shape is a geodesic of the Fisher metric: L' is the Cholesky factor of
    L exp(X) L', where the symmetric X has sqrt(2) w on its diagonal and w below.
    """

    loc: Float[np.ndarray, " dim"]
    factor: Float[np.ndarray, "dim dim"]

    @staticmethod
    def of(q: MeanField) -> FullRank:
        """The same distribution as a member of this family."""
        return FullRank(q.loc, np.diag(q.scale))

    @property
    def name(self) -> str:
        return "fullrank"

    @property
    def scale(self) -> Vector:
        return np.sqrt(np.sum(self.factor**2, axis=1))

    @property
    def scaling(self) -> Vector:
        return self.scale

    @property
    def log_widths(self) -> Vector:
        return np.log(np.diag(self.factor))

    @property
    def base_dim(self) -> int:
        return self.loc.shape[0]

    @property
    def shape_size(self) -> int:
        return self.base_dim * (self.base_dim + 1) // 2

    @property
    def frame(self) -> Triangular:
        identity = np.eye(self.base_dim)
        return Triangular(self.loc, self.factor, self._solve(identity))

    def sample(self, e: Float[Either, "dim draws"]) -> Float[Either, "dim draws"]:
        """z = loc + L e."""
        return self.loc[:, None] + self.factor @ e

    def log_density(self, z: Float[Either, "dim draws"]) -> Float[Either, " draws"]:
        """log q(z) = -|e|^2 / 2 - sum(log diag(L)) - dim * log(2 pi) / 2."""
        e = self._solve(z - self.loc[:, None])
        return -0.5 * (e * e).sum(axis=0) - self.log_volume() - 0.5 * e.shape[0] * (LOG_2PI_E - 1)

    def log_volume(self) -> float:
        return float(np.sum(self.log_widths))

    def entropy(self) -> float:
        """H(q) = sum(log diag(L)) + dim * log(2 pi e) / 2."""
        return self.log_volume() + 0.5 * self.loc.size * LOG_2PI_E

    def covariance(self) -> Matrix:
        return self.factor @ self.factor.T

    def precision_diagonal(self) -> Vector:
        return np.sum(self._solve(np.eye(self.loc.size)) ** 2, axis=0)

    # ------------------------------------------------------------------ geometry

    def move(self, u: Vector, w: Shape) -> FullRank:
        """The member a step (u, w) away, in local coordinates."""
        values, vectors = np.linalg.eigh(_unpack(w))
        # R'R = exp(X), so that (L R') is a factor of the new covariance.
        root: np.ndarray = np.linalg.qr((vectors * np.exp(0.5 * values)).T).R
        factor = self.factor @ (root * np.sign(np.diag(root))[:, None]).T
        return FullRank(self.loc + self.factor @ u, np.tril(factor))

    def length(self, u: Vector, w: Shape) -> float:
        return math.sqrt(float(u @ u + w @ w))

    def shrunk(self) -> FullRank:
        return self._replace(factor=self.factor / math.e)

    def growth(self, before: Family) -> float:
        return float(np.sum(self.log_widths - before.log_widths))

    def seen_from(self, before: Family) -> Seen:
        assert isinstance(before, FullRank)
        mean = before._solve((self.loc - before.loc)[:, None])[:, 0]
        return Seen(mean, np.zeros(mean.size), before._solve(self.factor))

    def congruent(self, matrix: Matrix) -> Matrix:
        return self.factor.T @ matrix @ self.factor

    def congruent_diagonal(self, matrix: Matrix) -> Vector:
        return np.sum(self.factor * (matrix @ self.factor), axis=0)

    def uncongruent(self, matrix: Matrix) -> Matrix:
        half = solve_triangular(self.factor, matrix, lower=True, trans=1, check_finite=False)
        return solve_triangular(self.factor, half.T, lower=True, trans=1, check_finite=False).T

    def expected_shape(self, diagonal: Vector, apply: Callable[[np.ndarray], np.ndarray]) -> Shape:
        """E[S e e'] = S."""
        del diagonal
        return _stack(*_halves(apply(np.eye(self.loc.size))))

    def shape_slope(self, moments: Float[np.ndarray, "shape *k"]) -> Float[np.ndarray, "shape *k"]:
        """(M_ii + 1) / sqrt 2 on the diagonal and M_ij below it, from tr((M + I) X) / 2."""
        dim = self.loc.size
        return np.concatenate([(moments[:dim] + 1.0) / SQRT2, moments[dim:]])

    def bend(self, w: Shape) -> Bend:
        """The step that lands where a quadratic log density has its optimum, exp(X) = -M^-1.

        M is the average Hessian in x that `w` stands for: mean field's step, in M's eigenbasis.
        """
        dim = self.loc.size
        values, vectors = np.linalg.eigh(_unpack(w) - np.eye(dim))
        log_a = np.log(-np.minimum(values, -LEAST_PULL))
        step = _stack(*_halves(-(vectors * log_a) @ vectors.T))
        step[:dim] /= SQRT2
        return Bend(step, float(w @ step), None)

    def _solve(self, x: Float[np.ndarray, "dim k"]) -> Float[np.ndarray, "dim k"]:
        """L^-1 x."""
        return solve_triangular(self.factor, x, lower=True, check_finite=False)


def _stack(diagonal: Either, below: Either) -> Either:
    """What of a matrix's lower triangle, diagonal first; JAX's arrays stay JAX's."""
    namespace = diagonal.__array_namespace__()
    return namespace.concat([diagonal, below])


def _halves(matrix: Matrix) -> tuple[Vector, Float[np.ndarray, " below"]]:
    """The diagonal, and what is below it of a symmetric matrix."""
    below = matrix[np.tril_indices(matrix.shape[0], -1)]
    return np.diag(matrix), below


def _unpack(w: Shape) -> Matrix:
    """The symmetric matrix with sqrt(2) w on its diagonal and w below."""
    dim = (math.isqrt(8 * w.size + 1) - 1) // 2
    matrix = np.zeros((dim, dim))
    matrix[np.tril_indices(dim, -1)] = w[dim:]
    return matrix + matrix.T + np.diag(SQRT2 * w[:dim])
