"""A minibatch read as value, gradient and noise in local coordinates, with and without control."""

from __future__ import annotations

import math
from typing import NamedTuple

import jax
import numpy as np
from jaxtyping import Float

from trustvi.families import MeanField
from trustvi.objective import Gradient, Objective
from trustvi.optimize._curvature import Curvature, Spectrum

Vector = Float[np.ndarray, " dim"]
SQRT2 = math.sqrt(2.0)
# Draws without a finite density that an estimate may drop: enough for a rare underflow in the
# tails, too few to hide a bounded support (the final ELBO counts them again).
DROPPED_SHARE = 0.05
# Eigenvalues of S nearer to zero than its error are taken for that: the step along a direction
# that the sample can't measure must not be a division by noise. The error is bounded by what the
# control variate leaves over, and is at most this, at least what rounding makes of it.
GREATEST_FLOOR, LEAST_FLOOR = 0.05, 1e-13
# A log scale whose gradient asks for more than a hundredfold growth is asked again later.
LEAST_PULL = 1e-2


class Slope(NamedTuple):
    """A gradient in local coordinates (u, w) with the variance of each component."""

    u: Vector
    w: Vector
    u_variance: Vector
    w_variance: Vector


class Estimate(NamedTuple):
    """What a minibatch at `q` says. `plain` and `controlled` are two estimates of one gradient."""

    q: MeanField
    sample: Gradient
    made_with: Curvature
    elbo: float
    """Sampled ELBO without the constant of the entropy."""
    elbo_se: float
    plain: Slope
    controlled: Slope

    @property
    def fine(self) -> bool:
        few = self.sample.sums.dropped <= DROPPED_SHARE * self.sample.draws
        finite = np.isfinite(self.elbo) and np.all(np.isfinite(self.plain.u))
        return bool(few and finite and np.all(np.isfinite(self.plain.w)))


def estimate(
    objective: Objective, q: MeanField, curvature: Curvature, key: jax.Array, draws: int
) -> Estimate:
    """Evaluate a minibatch at `q`, with `curvature` for its control variate."""
    control = curvature.control(q, np.zeros(objective.dim))
    sample = objective.gradient(q, control, key, draws)
    sums = sample.sums
    kept = draws - int(sums.dropped)
    r, r_e, c_e, e = (sample.replicate_means(part) for part in (sums.r, sums.r_e, sums.c_e, sums.e))
    with np.errstate(all="ignore"):
        plain = _slope(r + curvature.apply(q, e), r_e + c_e)
        controlled = _slope(r, r_e + curvature.diagonal(q)[:, None])
        values = sample.values[np.isfinite(sample.values)] if kept < draws else sample.values
        values = values if values.size else np.array([-math.inf])
        elbo = float(values.mean()) + float(q.log_scale.sum())
        error = float(values.std() / math.sqrt(values.size))
    return Estimate(q, sample, curvature, elbo, error, plain, controlled)


def _slope(h: Float[np.ndarray, "dim k"], h_e: Float[np.ndarray, "dim k"]) -> Slope:
    """grad_u = E[h], grad_w = (E[h e] + 1) / sqrt 2, from independent replicates."""
    k = h.shape[1]
    w = (h_e + 1.0) / SQRT2
    return Slope(
        h.mean(axis=1), w.mean(axis=1), h.var(axis=1, ddof=1) / k, w.var(axis=1, ddof=1) / k
    )


def spectral_floor(at: Estimate) -> float:
    """The error of S's eigenvalues: r = (S_true - S) e has variance |row of the error|^2 a draw."""
    with np.errstate(all="ignore"):
        error = 2 * math.sqrt(float(np.mean(at.controlled.u_variance)) * at.sample.draws)
    return float(np.clip(error, LEAST_FLOOR, GREATEST_FLOOR)) if error == error else GREATEST_FLOOR


class Newton(NamedTuple):
    """The unconstrained step on the quadratic model, its gain, and what noise makes of it.

    Curvature along log scales is chosen so that the step lands where a quadratic log density
    has its optimum, scale^2 = -1 / B_ii: with a = sqrt 2 grad_w - 1 (which estimates S_ii), the
    step is w = -log(-a) / sqrt 2, and the curvature is the gradient over it.
    """

    u: Vector
    w: Vector
    gain: float
    noise: float
    curvature_u: Vector
    """Absolute eigenvalues of S, floored."""
    curvature_w: Vector


def newton(slope: Slope, spectrum: Spectrum, floor: float) -> Newton:
    """The Newton step in local coordinates and its expected gain, g.H^-1.g / 2.

    `noise` is the part of that gain which sampling error alone would show.
    """
    along = np.maximum(np.abs(spectrum.values), floor)
    a = np.minimum(SQRT2 * slope.w - 1.0, -LEAST_PULL)
    log_a = np.log(-a)
    flat = np.abs(log_a) < 1e-6
    across = np.where(flat, 1.0, np.abs((a + 1.0) / np.where(flat, 1.0, log_a)))
    rotated = spectrum.rotate(slope.u)
    variance = (
        slope.u_variance
        if spectrum.vectors is None
        else ((spectrum.vectors.T**2) @ slope.u_variance)
    )
    return Newton(
        u=spectrum.back(rotated / along),
        w=slope.w / across,
        gain=0.5 * float(np.sum(rotated**2 / along) + np.sum(slope.w**2 / across)),
        noise=0.5 * float(np.sum(variance / along) + np.sum(slope.w_variance)),
        curvature_u=along,
        curvature_w=across,
    )
