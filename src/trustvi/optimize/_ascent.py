"""Ascent on the ELBO sampled at fixed draws: the model of one iteration of the ladder.

Quasi-Newton steps preconditioned by the curvature learned from the same gradients. The objective
is deterministic while the draws stay, so every evaluation is compared exactly.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from jaxtyping import Float

from trustvi.families import MeanField
from trustvi.optimize._curvature import Curvature
from trustvi.optimize._estimate import SQRT2, Estimate, Newton, Slope, newton, spectral_floor
from trustvi.optimize._lbfgs import ARMIJO, Pairs, remember, two_loop

Vector = Float[np.ndarray, " n"]

MEMORY = 10
BACKTRACKS = 8
# An ascent whose steps bring less than this share of what the next one promises has arrived.
ARRIVED = 0.3


class Sampled(NamedTuple):
    """The ELBO on one minibatch's draws; `controlled` subtracts a quadratic's sampling error.

    The quadratic is centred at `home` with the curvature that `estimate_at` uses throughout.
    """

    estimate_at: Callable[[MeanField], Estimate]
    controlled: bool
    home: MeanField
    quadratic: Curvature
    ceiling: float
    """A gain above which the sample is not to be believed."""

    def value(self, at: Estimate) -> float:
        """mean(log p) + sum(log scale), less mean(c) plus E[c] under control."""
        if not at.fine:
            return -math.inf
        if not self.controlled:
            return at.elbo
        q, n, sums = at.q, at.sample.draws, at.sample.sums
        pull = self.quadratic.apply(q, (q.loc - self.home.loc) / q.scale)
        sampled = float(pull @ sums.e.sum(axis=1)) / n + 0.5 * float(sums.c_e.sum()) / n
        return at.elbo - sampled + 0.5 * float(self.quadratic.diagonal(q).sum())

    def slope(self, at: Estimate) -> Slope:
        return at.controlled if self.controlled else at.plain

    def gradient(self, at: Estimate) -> Vector:
        """In (loc, log_scale), where pairs of points far apart can be compared."""
        slope = self.slope(at)
        return np.concatenate([slope.u / at.q.scale, SQRT2 * slope.w])


class Climbed(NamedTuple):
    """Where an ascent ended, what it gained on its own draws, and what it learned."""

    end: Estimate
    gain: float
    evaluations: int
    curvature: Curvature


def ascend_sampled(
    sampled: Sampled,
    start: Estimate,
    curvature: Curvature,
    *,
    evaluations: int,
    least: float,
    radius: float,
) -> Climbed:
    """Quasi-Newton steps of at most `radius` (rms, local) until none promises `least`."""
    at, value = start, sampled.value(start)
    first, pairs, spent = value, (), 0
    while spent < evaluations:
        curvature = curvature.learn(at.q, at.sample, at.made_with)
        p, promise = _direction(sampled, at, curvature, pairs)
        if promise < least:
            break
        found, found_value, used = _backtrack(
            sampled, at, (first, value), p, promise, radius, evaluations - spent
        )
        spent += used
        if found is None:
            if not pairs:
                break
            pairs = ()
            continue
        moved = np.concatenate([found.q.loc - at.q.loc, found.q.log_scale - at.q.log_scale])
        pairs = remember(pairs, moved, sampled.gradient(at) - sampled.gradient(found), MEMORY)
        arrived = found_value - value < ARRIVED * least
        at, value = found, found_value
        if arrived:
            break
    return Climbed(at, value - first, spent, curvature)


def _direction(
    sampled: Sampled, at: Estimate, curvature: Curvature, pairs: Pairs
) -> tuple[Vector, float]:
    """The quasi-Newton direction in (loc, log_scale) and the gain that it promises at first."""
    spectrum = curvature.spectrum(at.q)
    model = newton(sampled.slope(at), spectrum, spectral_floor(at))
    dim, scale = at.q.loc.size, at.q.scale

    def base(v: Vector) -> Vector:
        u = spectrum.back(spectrum.rotate(scale * v[:dim]) / model.curvature_u)
        return np.concatenate([scale * u, v[dim:] / (2 * model.curvature_w)])

    g = sampled.gradient(at)
    p = two_loop(g, pairs, base)
    promise = float(g @ p)
    if promise > 0:
        return p, promise
    p = base(g)
    return p, float(g @ p)


def _backtrack(
    sampled: Sampled,
    at: Estimate,
    values: tuple[float, float],
    p: Vector,
    promise: float,
    radius: float,
    budget: int,
) -> tuple[Estimate | None, float, int]:
    """The first step along `p` that gains enough: quadratic interpolation, tenfold on overflow."""
    first, value = values
    dim = at.q.loc.size
    length = math.sqrt(float(np.sum((p[:dim] / at.q.scale) ** 2) + 2 * np.sum(p[dim:] ** 2)))
    t = min(1.0, radius * math.sqrt(2 * dim) / length)
    limit = min(BACKTRACKS, budget)
    for used in range(1, limit + 1):
        trial = sampled.estimate_at(MeanField(at.q.loc + t * p[:dim], at.q.log_scale + t * p[dim:]))
        there = sampled.value(trial)
        if there > first + sampled.ceiling:
            there = -math.inf
        if there >= value + ARMIJO * t * promise:
            return trial, there, used
        if math.isfinite(there):
            bend = -promise * t * t / (2 * (there - value - promise * t))
            t = min(max(bend, 0.1 * t), 0.5 * t)
        else:
            t *= 0.1
    return None, -math.inf, limit


def newton_point(q: MeanField, step: Newton, radius: float) -> MeanField:
    """The point one Newton step away, shortened to the trust region."""
    length = math.sqrt(float(step.u @ step.u + step.w @ step.w))
    t = min(1.0, radius * math.sqrt(2 * q.loc.size) / max(length, np.finfo(float).tiny))
    return q.move(t * step.u, t * step.w)
