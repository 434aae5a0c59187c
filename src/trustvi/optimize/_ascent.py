"""Ascent on the ELBO sampled at fixed draws: the model of one iteration of the ladder.

Quasi-Newton steps preconditioned by the curvature learned from the same gradients. The objective
is deterministic while the draws stay, so every evaluation is compared exactly.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple, cast

import numpy as np
from jaxtyping import Float

from trustvi.families import Ascending, Family
from trustvi.optimize._curvature import Curvature, expected_square
from trustvi.optimize._estimate import Estimate, Newton, Slope, newton, spectral_floor
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

    estimate_at: Callable[[Family], Estimate]
    controlled: bool
    home: Ascending
    quadratic: Curvature
    ceiling: float
    """A gain above which the sample is not to be believed."""

    def value(self, at: Estimate) -> float:
        """mean(log p) + log volume, less mean(c) plus E[c] under control."""
        if not at.fine:
            return -math.inf
        if not self.controlled:
            return at.elbo
        q, n, sums = at.q, at.sample.draws, at.sample.sums
        pull = self.quadratic.apply(q, -self.home.seen_from(q).mean)
        curved = float(sums.c_shape[: q.loc.size].sum())
        sampled = float(pull @ sums.x.sum(axis=1)) / n + 0.5 * curved / n
        return at.elbo - sampled + 0.5 * expected_square(self.quadratic, q, q)

    def slope(self, at: Estimate) -> Slope:
        return at.controlled if self.controlled else at.plain

    def gradient(self, at: Estimate) -> Vector:
        """In the family's chart, where points far apart can be compared."""
        slope = self.slope(at)
        return _charted(at).chart_gradient(slope.u, slope.w)


class Climbed(NamedTuple):
    """Where an ascent ended, what it gained on its own draws, and what it learned."""

    end: Estimate
    gain: float
    evaluations: int
    curvature: Curvature
    pairs: Pairs


def ascend_sampled(
    sampled: Sampled,
    start: Estimate,
    curvature: Curvature,
    pairs: Pairs = (),
    *,
    evaluations: int,
    least: float,
    radius: float,
) -> Climbed:
    """Quasi-Newton steps of at most `radius` (rms, local) until none promises `least`.

    `pairs` are those of earlier ascents on other draws: each pair is free of sampling noise, since
    both its gradients have the same draws.
    """
    at, value = start, sampled.value(start)
    first, spent = value, 0
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
        moved = _charted(found).flat() - _charted(at).flat()
        pairs = remember(pairs, moved, sampled.gradient(at) - sampled.gradient(found), MEMORY)
        arrived = found_value - value < ARRIVED * least
        at, value = found, found_value
        if arrived:
            break
    return Climbed(at, value - first, spent, curvature, pairs)


def _charted(at: Estimate) -> Ascending:
    """The member that an ascent stands on; all are of the kind that it began with."""
    return cast(Ascending, at.q)


def _direction(
    sampled: Sampled, at: Estimate, curvature: Curvature, pairs: Pairs
) -> tuple[Vector, float]:
    """The quasi-Newton direction in the chart and the gain that it promises at first."""
    spectrum = curvature.spectrum(at.q)
    model = newton(at.q, sampled.slope(at), spectrum, spectral_floor(at))

    def solve(u: Vector) -> Vector:
        return spectrum.back(spectrum.rotate(u) / model.curvature_u)

    def base(v: Vector) -> Vector:
        return _charted(at).precondition(v, solve, model.curvature_w)

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
    t = min(1.0, radius * math.sqrt(2 * at.q.loc.size) / _charted(at).chart_length(p))
    limit = min(BACKTRACKS, budget)
    for used in range(1, limit + 1):
        trial = sampled.estimate_at(_charted(at).along(p, t))
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


def newton_point(q: Family, step: Newton, radius: float) -> tuple[Family, float]:
    """The point one Newton step away, shortened to the trust region, and its expected gain."""
    length = q.length(step.u, step.w)
    t = min(1.0, radius * math.sqrt(2 * q.loc.size) / max(length, np.finfo(float).tiny))
    return q.move(t * step.u, t * step.w), (2 * t - t * t) * step.gain
