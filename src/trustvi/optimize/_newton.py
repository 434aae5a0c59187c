"""What methods share that take Newton steps on a sampled ELBO, in (loc, log_scale)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import numpy as np
from jaxtyping import Array, Float

from trustvi.families import MeanField
from trustvi.objective import Control, Gradient, Objective, Products

Vector = Float[np.ndarray, " n"]


class SampledGradient(NamedTuple):
    """The ELBO on one minibatch and its gradient, draw by draw or averaged by replicate."""

    elbo: float
    elbo_se: float
    replicates: Float[np.ndarray, "n replicates"]
    lost: int
    """Draws without a finite density or gradient."""

    @property
    def mean(self) -> Vector:
        return self.replicates.mean(axis=1)

    @property
    def finite(self) -> bool:
        numbers = np.isfinite(self.elbo) and bool(np.all(np.isfinite(self.replicates)))
        return self.lost == 0 and bool(numbers)


def sampled_gradient(objective: Objective, q: MeanField, key: Array, draws: int) -> SampledGradient:
    """The minibatch of `key` at `q`: d/d loc = E[grad], d/d log_scale = scale E[grad e] + 1."""
    control = Control.none(q.frame, objective.dim if objective.dense else 0)
    sample: Gradient = objective.gradient(q, control, key, draws)
    r, r_e = map(sample.replicate_means, (sample.sums.r, sample.sums.r_shape))
    with np.errstate(all="ignore"):
        return SampledGradient(
            float(sample.values.mean()) + q.entropy(),
            float(sample.values.std() / np.sqrt(draws)),
            np.concatenate([r / q.scale[:, None], r_e + 1.0]),
            int(sample.sums.dropped),
        )


def product_at(products: Products, q: MeanField, key: Array) -> Callable[[Vector], Vector]:
    """s -> H s, H the Hessian of the ELBO sampled on the draws of `key`."""
    product, dim = products.at(q, key), q.loc.size

    def apply(s: Vector) -> Vector:
        return np.concatenate(product(s[:dim], s[dim:]))

    return apply


def moved(q: MeanField, s: Vector) -> MeanField:
    """`q` a step in (loc, log_scale) away."""
    return MeanField(q.loc + s[: q.loc.size], q.log_scale + s[q.loc.size :])


def derived_key(seed: int, *purpose: int) -> Array:
    """The key of one purpose in one iteration of a run."""
    key = jax.random.key(seed)
    for number in purpose:
        key = jax.random.fold_in(key, number)
    return key


class Solution(NamedTuple):
    """x with A x close to b, the products it took, and what is left of b."""

    x: Vector
    products: int
    residual: float
    """|b - A x| / |b|."""


def conjugate_gradients(product: Any, b: Vector, *, limit: int, rtol: float) -> Solution:
    """A x = b by conjugate gradients (Hestenes and Stiefel 1952), whatever the signs of A's
    eigenvalues; ends early where a product or the curvature along it is zero or not finite."""
    x, r = np.zeros_like(b), b.copy()
    p, rr, norm = r.copy(), float(r @ r), float(np.linalg.norm(b))
    count = 0
    while count < min(limit, 2 * b.size) and np.sqrt(rr) > rtol * norm:
        ap = product(p)
        count += 1
        along = float(p @ ap)
        if along == 0.0 or not np.isfinite(along):
            break
        x, r = x + rr / along * p, r - rr / along * ap
        rr, before = float(r @ r), rr
        p = r + rr / before * p
    return Solution(x, count, float(np.sqrt(rr)) / norm if norm > 0 else 0.0)
