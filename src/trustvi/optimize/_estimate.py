"""A minibatch read as value, gradient and noise in local coordinates, with and without control."""

from __future__ import annotations

import math
from functools import partial
from typing import Any, NamedTuple

import jax
import numpy as np
from jaxtyping import Float

from trustvi.families import Family
from trustvi.objective import Gradient, Objective
from trustvi.optimize._curvature import Curvature, Spectrum

Vector = Float[np.ndarray, " dim"]
Shape = Float[np.ndarray, " shape"]
# Draws without a finite density that an estimate may drop: enough for a rare underflow in the
# tails, too few to hide a bounded support (the final ELBO counts them again).
DROPPED_SHARE = 0.05
# Eigenvalues of S nearer to zero than its error are taken for that: the step along a direction
# that the sample can't measure must not be a division by noise. The error is bounded by what the
# control variate leaves over, and is at most this, at least what rounding makes of it.
GREATEST_FLOOR, LEAST_FLOOR = 0.05, 1e-13


class Slope(NamedTuple):
    """A gradient in local coordinates (u, w) with the variance of each component."""

    u: Vector
    w: Shape
    u_variance: Vector
    w_variance: Shape


class Estimate(NamedTuple):
    """What a minibatch at `q` says. `plain`, `controlled` and `centred` estimate one gradient."""

    q: Family
    sample: Gradient
    made_with: Curvature
    elbo: float
    """Sampled ELBO without the constant of the entropy."""
    elbo_se: float
    plain: Slope
    controlled: Slope
    centred: Slope
    """The controlled one with a better shape; not the gradient of the sampled ELBO, though."""

    @property
    def fine(self) -> bool:
        few = self.sample.sums.dropped <= DROPPED_SHARE * self.sample.draws
        finite = np.isfinite(self.elbo) and np.all(np.isfinite(self.plain.u))
        return bool(few and finite and np.all(np.isfinite(self.plain.w)))


def estimate(
    objective: Objective, q: Family, curvature: Curvature, key: jax.Array, draws: int
) -> Estimate:
    """Evaluate a minibatch at `q`, with `curvature` for its control variate."""
    control = curvature.control(q, np.zeros(objective.dim))
    sample = objective.gradient(q, control, key, draws)
    sums = sample.sums
    kept = draws - int(sums.dropped)
    parts = (sums.r, sums.r_shape, sums.c_shape, sums.x)
    r, r_shape, c_shape, x = (sample.replicate_means(part) for part in parts)
    with np.errstate(all="ignore"):
        expected = q.expected_shape(curvature.diagonal(q), partial(curvature.apply, q))
        plain = _slope(q, r + curvature.apply(q, x), r_shape + c_shape)
        controlled = _slope(q, r, r_shape + expected[:, None])
        centred = _slope(q, r, _centred(q, r, r_shape, x) + expected[:, None])
        values = sample.values[np.isfinite(sample.values)] if kept < draws else sample.values
        values = values if values.size else np.array([-math.inf])
        elbo = float(values.mean()) + q.log_volume()
        error = float(values.std() / math.sqrt(values.size))
    return Estimate(q, sample, curvature, elbo, error, plain, controlled, centred)


def _centred(
    q: Family, r: Float[np.ndarray, "dim k"], r_shape: Float[np.ndarray, "shape k"],
    x: Float[np.ndarray, "dim k"],
) -> Float[np.ndarray, "shape k"]:  # fmt: skip
    """E[r e] without what a constant in r contributes by chance.

    E[e] is 0, so that the mean of r over the other replicates, which is independent of this one's
    e, can be taken off r: what is left of a quadratic's noise under exact control is nothing.
    """
    if q.base_dim != r.shape[0]:
        return r_shape
    others = (r.sum(axis=1, keepdims=True) - r) / (r.shape[1] - 1)
    return r_shape - q.frame.shape(others, x)


def _slope(
    q: Family, y: Float[np.ndarray, "dim k"], moments: Float[np.ndarray, "shape k"]
) -> Slope:
    """grad_u = E[y], and grad_w of the shape's moments, from independent replicates."""
    k = y.shape[1]
    w = q.shape_slope(moments)
    return Slope(
        y.mean(axis=1), w.mean(axis=1), y.var(axis=1, ddof=1) / k, w.var(axis=1, ddof=1) / k
    )


def spectral_floor(at: Estimate) -> float:
    """The error of S's eigenvalues: r = (S_true - S) x has variance |row of the error|^2 a draw."""
    with np.errstate(all="ignore"):
        error = 2 * math.sqrt(float(np.mean(at.controlled.u_variance)) * at.sample.draws)
    return float(np.clip(error, LEAST_FLOOR, GREATEST_FLOOR)) if error == error else GREATEST_FLOOR


class Newton(NamedTuple):
    """The unconstrained step on the quadratic model, its gain, and what noise makes of it."""

    u: Vector
    w: Shape
    gain: float
    noise: float
    curvature_u: Vector
    """Absolute eigenvalues of S, floored."""
    curvature_w: Any
    """That of the family's `bend`."""


def newton(q: Family, slope: Slope, spectrum: Spectrum, floor: float) -> Newton:
    """The Newton step in local coordinates and its expected gain, g.H^-1.g / 2.

    `noise` is the part of that gain which sampling error alone would show.
    """
    along = np.maximum(np.abs(spectrum.values), floor)
    bend = q.bend(slope.w)
    rotated = spectrum.rotate(slope.u)
    variance = (
        slope.u_variance
        if spectrum.vectors is None
        else ((spectrum.vectors.T**2) @ slope.u_variance)
    )
    return Newton(
        u=spectrum.back(rotated / along),
        w=bend.step,
        gain=0.5 * float(np.sum(rotated**2 / along) + bend.gain),
        noise=0.5 * float(np.sum(variance / along) + np.sum(slope.w_variance)),
        curvature_u=along,
        curvature_w=bend.curvature,
    )
