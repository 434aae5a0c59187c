"""Gaussians of covariance diagonal plus rank r: z = loc + scale (e + V f), e and f normal."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import jax.numpy as jnp
import numpy as np
from jaxtyping import Float
from scipy.linalg import solve_triangular

from trustvi.families._family import Bend, Either, Family, Flat, Matrix, Seen, Shape, Vector
from trustvi.families._meanfield import LOG_2PI_E, SQRT2, MeanField

Factor = Float[np.ndarray, "dim rank"]
# Where V is small the metric of its columns vanishes with it, and a step would be a division by
# noise: this share of a variance counts as if it were there.
DAMPING = 0.02
# The metric's system is solved until its residual is this share, far below what noise makes of a
# gradient, so that a preconditioner is as good as linear.
NATURAL_RTOL, NATURAL_STEPS = 1e-8, 200


class Spread(NamedTuple):
    """z = loc + scale x, x = e + factor f: dim normals of its own, and rank shared ones."""

    loc: Float[Either, " dim"]
    diagonal: Float[Either, " dim"]
    factor: Float[Either, "dim rank"]

    def spread(self, e: Float[Either, "base draws"]) -> Float[Either, "dim draws"]:
        dim = self.loc.shape[0]
        return e[:dim] + self.factor @ e[dim:]

    def place(self, x: Float[Either, "dim draws"]) -> Float[Either, "dim draws"]:
        return self.loc[:, None] + self.diagonal[:, None] * x

    def whiten(self, z: Float[Either, "dim draws"]) -> Float[Either, "dim draws"]:
        return (z - self.loc[:, None]) / self.diagonal[:, None]

    def pull(self, g: Float[Either, "dim draws"]) -> Float[Either, "dim draws"]:
        return self.diagonal[:, None] * g

    def shape(
        self, y: Float[Either, "dim draws"], e: Float[Either, "base draws"]
    ) -> Float[Either, "shape draws"]:
        """y_i x_i for the scales, y_i f_k for V."""
        shared = e[self.loc.shape[0] :]
        products = (y[:, None, :] * shared[None, :, :]).reshape(-1, y.shape[1])
        namespace = y.__array_namespace__()
        return namespace.concat([y * self.spread(e), products])

    def displaced(
        self, u: Float[Either, " dim"], w: Float[Either, " shape"], e: Float[Either, "base draws"]
    ) -> Float[Either, "dim draws"]:
        dim = self.loc.shape[0]
        moved = self._replace(factor=self.factor + w[dim:].reshape(self.factor.shape))
        return self.place(u[:, None] + jnp.exp(w[:dim] / SQRT2)[:, None] * moved.spread(e))

    def volume(self, w: Float[Either, " shape"]) -> Float[Either, ""]:
        dim = self.loc.shape[0]
        after = self.factor + w[dim:].reshape(self.factor.shape)
        inner = [jnp.eye(v.shape[1]) + v.T @ v for v in (self.factor, after)]
        before, then = (jnp.linalg.slogdet(each)[1] for each in inner)
        return jnp.sum(w[:dim]) / SQRT2 + 0.5 * (then - before)


class LowRank(NamedTuple):
    """One member of the family, and the geometry of its neighbourhood.

    The covariance is D (I + V V') D, D = diag(exp(log_scale)). Local coordinates are u = D^-1 of
    the location's change, sqrt(2) times the change of log_scale, and V's; with R = I + V V' and dR
    the change of D^-1 covariance D^-1, the Fisher metric is u'R^-1 u + tr((R^-1 dR)^2) / 2. It is
    applied in O(dim rank^2), and inverted by conjugate gradients.
    """

    loc: Float[np.ndarray, " dim"]
    log_scale: Float[np.ndarray, " dim"]
    factor: Float[np.ndarray, "dim rank"]

    @staticmethod
    def of(q: MeanField, rank: int) -> LowRank:
        """The same distribution as a member of this family."""
        return LowRank(q.loc, q.log_scale, np.zeros((q.loc.size, rank)))

    @property
    def name(self) -> str:
        return f"lowrank:{self.factor.shape[1]}"

    @property
    def scaling(self) -> Vector:
        return np.exp(self.log_scale)

    @property
    def scale(self) -> Vector:
        return self.scaling * np.sqrt(1 + np.sum(self.factor**2, axis=1))

    @property
    def log_widths(self) -> Vector:
        return self.log_scale

    @property
    def base_dim(self) -> int:
        return sum(self.factor.shape)

    @property
    def shape_size(self) -> int:
        return self.factor.size + self.factor.shape[0]

    @property
    def frame(self) -> Spread:
        return Spread(self.loc, self.scaling, self.factor)

    def sample(self, e: Float[Either, "base draws"]) -> Float[Either, "dim draws"]:
        """z = loc + scale (e + V f)."""
        frame = self.frame
        return frame.place(frame.spread(e))

    def log_density(self, z: Float[Either, "dim draws"]) -> Float[Either, " draws"]:
        """By Woodbury's identity: x'R^-1 x = |x|^2 - |C^-1 V'x|^2, C C' = I + V'V."""
        x = self.frame.whiten(z)
        root = np.linalg.cholesky(self._inner)
        c = solve_triangular(root, self.factor.T @ x, lower=True, check_finite=False)
        square = (x * x).sum(axis=0) - (c * c).sum(axis=0)
        return -0.5 * square - self.log_volume() - 0.5 * len(x) * (LOG_2PI_E - 1)

    def log_volume(self) -> float:
        return float(np.sum(self.log_scale)) + 0.5 * float(np.linalg.slogdet(self._inner)[1])

    def entropy(self) -> float:
        """H(q) = sum(log_scale) + log det(I + V'V) / 2 + dim * log(2 pi e) / 2."""
        return self.log_volume() + 0.5 * self.loc.size * LOG_2PI_E

    def covariance(self) -> Matrix:
        spread = np.eye(self.loc.size) + self.factor @ self.factor.T
        return self.scaling[:, None] * spread * self.scaling

    def precision_diagonal(self) -> Vector:
        return (1 - np.sum(self._weighted * self.factor, axis=1)) / self.scaling**2

    # ------------------------------------------------------------------ geometry

    def move(self, u: Vector, w: Shape) -> LowRank:
        """The member a step (u, w) away, in local coordinates."""
        a, v = self._split(w)
        return LowRank(self.loc + self.scaling * u, self.log_scale + a, self.factor + v)

    def length(self, u: Vector, w: Shape) -> float:
        whitened = u @ u - u @ self._weighted @ (self.factor.T @ u)
        return math.sqrt(max(float(whitened + w @ self._metric(w)), 0.0))

    def shrunk(self) -> LowRank:
        return self._replace(log_scale=self.log_scale - 1.0)

    def growth(self, before: Family) -> float:
        return self.log_volume() - before.log_volume()

    def seen_from(self, before: Family) -> Seen:
        ratio = np.exp(np.minimum(self.log_scale - before.log_widths, 300.0))
        mean = (self.loc - before.loc) / before.scaling
        return Seen(mean, ratio**2, ratio[:, None] * self.factor)

    def congruent(self, matrix: Matrix) -> Matrix:
        return self.scaling[:, None] * matrix * self.scaling

    def congruent_diagonal(self, matrix: Matrix) -> Vector:
        return self.scaling**2 * np.diag(matrix)

    def uncongruent(self, matrix: Matrix) -> Matrix:
        return matrix / self.scaling / self.scaling[:, None]

    def expected_shape(self, diagonal: Vector, apply: Callable[[np.ndarray], np.ndarray]) -> Shape:
        """E[(S x)_i x_i] = (S R)_ii and E[S x f'] = S V."""
        curved = apply(self.factor)
        return np.concatenate([diagonal + np.sum(curved * self.factor, axis=1), curved.ravel()])

    def shape_slope(self, moments: Float[np.ndarray, "shape *k"]) -> Float[np.ndarray, "shape *k"]:
        """(E[y_i x_i] + 1) / sqrt 2, and E[y f'] + R^-1 V."""
        dim, entropy = self.loc.size, self._weighted.ravel()
        entropy = entropy.reshape(-1, *([1] * (moments.ndim - 1)))
        return np.concatenate([(moments[:dim] + 1.0) / SQRT2, moments[dim:] + entropy])

    def bend(self, w: Shape) -> Bend:
        """The natural gradient: where q fits, the ELBO's Hessian is minus the metric."""
        step = self._natural(w)
        return Bend(step, float(w @ step), None)

    # ------------------------------------------------------------------ chart

    def flat(self) -> Flat:
        return np.concatenate([self.loc, self.log_scale, self.factor.ravel()])

    def along(self, direction: Flat, t: float) -> LowRank:
        dim = self.loc.size
        step = t * direction
        return LowRank(
            self.loc + step[:dim], self.log_scale + step[dim : 2 * dim],
            self.factor + step[2 * dim :].reshape(self.factor.shape),
        )  # fmt: skip

    def chart_gradient(self, u: Vector, w: Shape) -> Flat:
        dim = self.loc.size
        return np.concatenate([u / self.scaling, SQRT2 * w[:dim], w[dim:]])

    def chart_length(self, direction: Flat) -> float:
        dim = self.loc.size
        w = np.concatenate([SQRT2 * direction[dim : 2 * dim], direction[2 * dim :]])
        return self.length(direction[:dim] / self.scaling, w)

    def precondition(
        self, gradient: Flat, solve: Callable[[Vector], Vector], curvature: Any
    ) -> Flat:
        dim = self.loc.size
        u = solve(self.scaling * gradient[:dim])
        w = np.concatenate([gradient[dim : 2 * dim] / SQRT2, gradient[2 * dim :]])
        step = self._natural(w)
        return np.concatenate([self.scaling * u, step[:dim] / SQRT2, step[dim:]])

    # ------------------------------------------------------------------ linear algebra

    @property
    def _inner(self) -> Float[np.ndarray, "rank rank"]:
        return np.eye(self.factor.shape[1]) + self.factor.T @ self.factor

    @property
    def _weighted(self) -> Factor:
        """R^-1 V = V (I + V'V)^-1."""
        return np.linalg.solve(self._inner, self.factor.T).T

    def _split(self, w: Shape) -> tuple[Vector, Factor]:
        """Changes of log_scale and of V."""
        dim = self.loc.size
        return w[:dim] / SQRT2, w[dim:].reshape(self.factor.shape)

    def _metric(self, w: Shape) -> Shape:
        """The Fisher metric of the shape: (diag(R^-1 dR) / sqrt 2, R^-1 dR R^-1 V)."""
        a, d = self._split(w)
        v, p = self.factor, self._weighted
        scaled = a[:, None]

        def solve(x: Factor) -> Factor:
            return x - p @ (v.T @ x)

        pv, vv = np.sum(p * v, axis=1), np.sum(v * v, axis=1)
        mixed = np.sum((p @ (v.T @ (scaled * v))) * v, axis=1)
        along = a * ((1 - pv) * (1 + vv) + pv * vv) - mixed + a
        along = along + np.sum(solve(d) * v, axis=1) + np.sum(p * d, axis=1)
        # dR R^-1 V, term by term: a R, R a, d V', V d'.
        turned = scaled * v + scaled * p + v @ (v.T @ (scaled * p)) + d @ (v.T @ p) + v @ (d.T @ p)
        return np.concatenate([along / SQRT2, solve(turned).ravel()])

    def _natural(self, w: Shape) -> Shape:
        """(metric + damping)^-1 w by conjugate gradients."""
        columns = self.factor.T @ self._weighted + DAMPING * np.eye(self.factor.shape[1])
        dim = self.loc.size

        def invert(r: Shape) -> Shape:
            rest = np.linalg.solve(columns, r[dim:].reshape(self.factor.shape).T).T
            return np.concatenate([r[:dim], rest.ravel()])

        x, r = np.zeros_like(w), w.copy()
        p = y = invert(r)
        ry, stop = float(r @ y), NATURAL_RTOL * float(np.linalg.norm(w))
        for _ in range(NATURAL_STEPS):
            if not np.linalg.norm(r) > stop:
                break
            ap = self._metric(p) + DAMPING * p
            step = ry / float(p @ ap)
            x, r = x + step * p, r - step * ap
            y = invert(r)
            ry, before = float(r @ y), ry
            p = y + ry / before * p
        return x
