"""Gaussians with independent coordinates: z = loc + exp(log_scale) * e, e standard normal."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from jaxtyping import Float

from trustvi.families._family import Either

LOG_2PI_E = math.log(2 * math.pi) + 1


class MeanField(NamedTuple):
    """One member of the family, and the geometry of its neighbourhood.

    Steps are taken in *local coordinates* (u, w), in which the family's Fisher metric at this
    member is the identity: loc' = loc + scale * u, log_scale' = log_scale + w / sqrt(2). The
    metric is invariant under shifts and scalings of each parameter (Amari 1998, "Natural
    gradient works efficiently in learning").
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
    def base_dim(self) -> int:
        return self.loc.shape[0]

    def sample(self, e: Float[Either, "dim draws"]) -> Float[Either, "dim draws"]:
        """z = loc + scale * e."""
        return self.loc[:, None] + self.scale[:, None] * e

    def log_density(self, z: Float[Either, "dim draws"]) -> Float[Either, " draws"]:
        """log q(z) = -|e|^2 / 2 - sum(log_scale) - dim * log(2 pi) / 2."""
        e = (z - self.loc[:, None]) / self.scale[:, None]
        constant = self.log_scale.sum() + 0.5 * self.base_dim * (LOG_2PI_E - 1)
        return -0.5 * (e * e).sum(axis=0) - constant

    def covariance(self) -> Float[np.ndarray, "dim dim"]:
        return np.diag(self.scale**2)

    def move(self, u: Float[np.ndarray, " dim"], w: Float[np.ndarray, " dim"]) -> MeanField:
        """The member a step (u, w) away, in local coordinates."""
        return MeanField(self.loc + self.scale * u, self.log_scale + w / math.sqrt(2))

    def entropy(self) -> float:
        """H(q) = sum(log_scale) + dim * log(2 pi e) / 2."""
        return float(np.sum(self.log_scale)) + 0.5 * self.loc.size * LOG_2PI_E
