"""Gaussians with independent coordinates: z = loc + exp(log_scale) * e, e standard normal."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import jax.numpy as jnp
import numpy as np
from jaxtyping import Float

from trustvi.families._family import Bend, Either, Family, Flat, Matrix, Seen, Shape, Vector

LOG_2PI_E = math.log(2 * math.pi) + 1
SQRT2 = math.sqrt(2.0)
# A log scale whose gradient asks for more than a hundredfold growth is asked again later.
LEAST_PULL = 1e-2


class Scaling(NamedTuple):
    """z = loc + scale * x, x = e."""

    loc: Float[Either, " dim"]
    scale: Float[Either, " dim"]

    def spread(self, e: Float[Either, "dim draws"]) -> Float[Either, "dim draws"]:
        return e

    def place(self, x: Float[Either, "dim draws"]) -> Float[Either, "dim draws"]:
        return self.loc[:, None] + self.scale[:, None] * x

    def whiten(self, z: Float[Either, "dim draws"]) -> Float[Either, "dim draws"]:
        return (z - self.loc[:, None]) / self.scale[:, None]

    def pull(self, g: Float[Either, "dim draws"]) -> Float[Either, "dim draws"]:
        return self.scale[:, None] * g

    def shape(
        self, y: Float[Either, "dim draws"], e: Float[Either, "dim draws"]
    ) -> Float[Either, "dim draws"]:
        return y * e

    def displaced(
        self, u: Float[Either, " dim"], w: Float[Either, " dim"], e: Float[Either, "dim draws"]
    ) -> Float[Either, "dim draws"]:
        grown = jnp.exp(w / SQRT2)[:, None] * e
        return self.place(u[:, None] + grown)

    def volume(self, w: Float[Either, " dim"]) -> Float[Either, ""]:
        return jnp.sum(w) / SQRT2


class MeanField(NamedTuple):
    """One member of the family, and the geometry of its neighbourhood.

    Steps are loc' = loc + scale * u, log_scale' = log_scale + w / sqrt(2), in which the Fisher
    metric is the identity. The chart is (loc, log_scale).
    """

    loc: Float[np.ndarray, " dim"]
    log_scale: Float[np.ndarray, " dim"]

    @property
    def name(self) -> str:
        return "meanfield"

    @property
    def scale(self) -> Float[np.ndarray, " dim"]:
        return np.exp(self.log_scale)

    @property
    def scaling(self) -> Vector:
        return self.scale

    @property
    def log_widths(self) -> Vector:
        return self.log_scale

    @property
    def base_dim(self) -> int:
        return self.loc.shape[0]

    @property
    def shape_size(self) -> int:
        return self.loc.shape[0]

    @property
    def frame(self) -> Scaling:
        return Scaling(self.loc, self.scale)

    def sample(self, e: Float[Either, "dim draws"]) -> Float[Either, "dim draws"]:
        """z = loc + scale * e."""
        return self.frame.place(e)

    def log_density(self, z: Float[Either, "dim draws"]) -> Float[Either, " draws"]:
        """log q(z) = -|e|^2 / 2 - sum(log_scale) - dim * log(2 pi) / 2."""
        e = self.frame.whiten(z)
        constant = self.log_scale.sum() + 0.5 * self.base_dim * (LOG_2PI_E - 1)
        return -0.5 * (e * e).sum(axis=0) - constant

    def log_volume(self) -> float:
        return float(np.sum(self.log_scale))

    def entropy(self) -> float:
        """H(q) = sum(log_scale) + dim * log(2 pi e) / 2."""
        return self.log_volume() + 0.5 * self.loc.size * LOG_2PI_E

    def covariance(self) -> Float[np.ndarray, "dim dim"]:
        return np.diag(self.scale**2)

    def precision_diagonal(self) -> Vector:
        return self.scale**-2

    # ------------------------------------------------------------------ geometry

    def move(self, u: Float[np.ndarray, " dim"], w: Float[np.ndarray, " dim"]) -> MeanField:
        """The member a step (u, w) away, in local coordinates."""
        return MeanField(self.loc + self.scale * u, self.log_scale + w / math.sqrt(2))

    def length(self, u: Vector, w: Shape) -> float:
        return math.sqrt(float(u @ u + w @ w))

    def shrunk(self) -> MeanField:
        return self._replace(log_scale=self.log_scale - 1.0)

    def growth(self, before: Family) -> float:
        return float(np.sum(self.log_widths - before.log_widths))

    def seen_from(self, before: Family) -> Seen:
        grown = np.exp(2 * np.minimum(self.log_scale - before.log_widths, 300.0))
        none = np.zeros((self.loc.size, 0))
        return Seen((self.loc - before.loc) / before.scale, grown, none)

    def congruent(self, matrix: Matrix) -> Matrix:
        return self.scale[:, None] * matrix * self.scale

    def congruent_diagonal(self, matrix: Matrix) -> Vector:
        return self.scale**2 * np.diag(matrix)

    def uncongruent(self, matrix: Matrix) -> Matrix:
        return matrix / self.scale / self.scale[:, None]

    def expected_shape(self, diagonal: Vector, apply: Callable[[np.ndarray], np.ndarray]) -> Vector:
        """E[(S e)_i e_i] = S_ii."""
        del apply
        return diagonal

    def shape_slope(self, moments: Float[np.ndarray, "dim *k"]) -> Float[np.ndarray, "dim *k"]:
        """(E[y_i e_i] + 1) / sqrt 2."""
        return (moments + 1.0) / SQRT2

    def bend(self, w: Shape) -> Bend:
        """The step that lands where a quadratic log density has its optimum, scale^2 = -1 / B_ii.

        With a = sqrt 2 w - 1, which estimates S_ii, it is -log(-a) / sqrt 2, and the curvature is
        the gradient over it.
        """
        a = np.minimum(SQRT2 * w - 1.0, -LEAST_PULL)
        log_a = np.log(-a)
        near = np.abs(log_a) < 1e-6
        across = np.where(near, 1.0, np.abs((a + 1.0) / np.where(near, 1.0, log_a)))
        return Bend(w / across, float(np.sum(w**2 / across)), across)

    # ------------------------------------------------------------------ chart

    def flat(self) -> Flat:
        return np.concatenate([self.loc, self.log_scale])

    def along(self, direction: Flat, t: float) -> MeanField:
        dim = self.loc.size
        return MeanField(self.loc + t * direction[:dim], self.log_scale + t * direction[dim:])

    def chart_gradient(self, u: Vector, w: Shape) -> Flat:
        return np.concatenate([u / self.scale, SQRT2 * w])

    def chart_length(self, direction: Flat) -> float:
        u, log_scale = direction[: self.loc.size] / self.scale, direction[self.loc.size :]
        return math.sqrt(float(np.sum(u**2) + 2 * np.sum(log_scale**2)))

    def precondition(
        self, gradient: Flat, solve: Callable[[Vector], Vector], curvature: Any
    ) -> Flat:
        dim = self.loc.size
        u = solve(self.scale * gradient[:dim])
        return np.concatenate([self.scale * u, gradient[dim:] / (2 * curvature)])
