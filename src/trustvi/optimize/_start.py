"""Where a fit begins: a climb on the log density, its curvature, and a second start if needed.

Most posteriors are close enough to normal that the best approximation is found around the mode:
single-draw evaluations climb there, and as many gradients as the dimension around it measure the
curvature. Where the climb ends in no clean mode (a hierarchy's density is unbounded, say), a
second start ascends the ELBO itself on few draws, from where the climb was still making
ground; the better of the two on common draws goes on.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import jax
import numpy as np
from jaxtyping import Float

from trustvi.families import MeanField
from trustvi.objective import Ledger, Objective, PointDensity, child_key
from trustvi.optimize._curvature import Curvature, DenseCurvature, unlearned
from trustvi.optimize._estimate import LEAST_FLOOR, Estimate, estimate
from trustvi.optimize._lbfgs import Ascent, Point, ascend, inverse_diagonal
from trustvi.optimize._polish import polish

Vector = Float[np.ndarray, " dim"]

# Gain in nats below which the climb stops: the laplace step that follows takes the rest.
CLIMB_GAIN = 0.1
# Gradients around the climb's end at the most: one oracle call.
CURVATURE_DRAWS = 256
# The climb's end is probed at this share of the scales guessed there: near enough for finite
# differences, far enough for double precision.
PROBE = 0.01
# Log scale at which the second start begins: small against a unit-scale posterior, so that no
# draw overflows, and large against one that has collapsed.
SECOND_LOG_SCALE = -1.5
SECOND_DRAWS = 16
SECOND_EVALUATIONS = 60
COMPARE_DRAWS = 32
TRUST_DRAWS = 16
# Nats by which draws may fall short of a mode's quadratic: all in all, or a coordinate.
TRUSTED_LOSS, TRUSTED_SHARE = 5.0, 0.5
WORST = -1e300
# Largest eigenvalue of the scaled Hessian at which a climb's end counts as a clean mode.
CLEAN = -1e-4


class Start(NamedTuple):
    """A first approximation, what is known of the curvature, and what it cost."""

    q: MeanField
    curvature: Curvature
    ledger: Ledger
    note: str
    top: float = -math.inf
    """The log density at `q.loc`."""


def climb(density: PointDensity, theta: Vector, evaluations: int) -> Ascent:
    """L-BFGS on the log density from `theta`, one draw an evaluation."""
    start = Point(theta, *density(theta))
    return ascend(density, start, evaluations=evaluations, gain=CLIMB_GAIN)


def choose_start(
    objective: Objective, density: PointDensity, theta: Vector, key: jax.Array, evaluations: int
) -> Start:
    """The mode's Laplace approximation, or the second start where that is not to be trusted."""
    keys = [child_key(key, index) for index in range(4)]
    ascent = climb(density, theta, evaluations)
    first, clean = laplace(objective, ascent, theta, keys[0])
    first = first._replace(ledger=first.ledger.add(gradients=ascent.evaluations + 1))
    if not (clean and ascent.converged) and objective.dense:
        first, clean = _polished(density, ascent, theta, first)
    if clean:
        first, trusted = _looks_normal(objective, first, keys[3])
        if trusted:
            return first
    second, spent = ascend_from(objective, _early(ascent), keys[1])
    ledger = first.ledger.add(gradients=spent, values=2 * COMPARE_DRAWS)
    if _plain_elbo(objective, second, keys[2]) > _plain_elbo(objective, first.q, keys[2]):
        curvature = unlearned(second.scale**-2)
        return Start(second, curvature, ledger, "second start")
    return first._replace(ledger=ledger)


def _looks_normal(objective: Objective, start: Start, key: jax.Array) -> tuple[Start, bool]:
    """Whether draws from a mode's Laplace approximation have the densities that it predicts.

    A funnel's tip is a clean mode, too, but draws around it fall far below its quadratic.
    """
    control = start.curvature.control(start.q, np.zeros_like(start.q.loc))
    sample = objective.values(start.q, control, key, TRUST_DRAWS)
    loss = start.top - float(np.mean(sample.values - sample.controls))
    start = start._replace(ledger=start.ledger.add(values=TRUST_DRAWS))
    return start, loss < max(TRUSTED_LOSS, TRUSTED_SHARE * start.q.loc.size)


def _polished(
    density: PointDensity, ascent: Ascent, origin: Vector, first: Start
) -> tuple[Start, bool]:
    """The Laplace approximation at the end of Newton steps, if they find a clean mode."""
    polished = polish(density, ascent.end, CLIMB_GAIN)
    ledger = first.ledger.add(**polished.ledger._asdict())
    known = DenseCurvature(polished.hessian)
    precision = -np.diag(polished.hessian)
    if not (np.all(np.isfinite(polished.hessian)) and np.all(precision > 0)):
        return first._replace(ledger=ledger), False
    q = MeanField(polished.end.x, -0.5 * np.log(precision))
    clean = bool(known.spectrum(q).values.max() < -LEAST_FLOOR) and math.isfinite(
        polished.gain_left
    )
    if not clean:
        reach = np.maximum(1.0, np.abs(polished.end.x - origin))
        q = q._replace(log_scale=np.minimum(q.log_scale, np.log(reach)))
    return Start(q, known, ledger, "newton", polished.end.value), clean


def laplace(
    objective: Objective, ascent: Ascent, origin: Vector, key: jax.Array
) -> tuple[Start, bool]:
    """Scales from the curvature at the climb's end, and whether it is a clean mode.

    A scale is at most the way that the climb came, or 1 if that is shorter: flat directions
    say nothing about how far the posterior reaches.
    """
    loc, dim = ascent.end.x, objective.dim
    guess = np.sqrt(inverse_diagonal(ascent.pairs, dim))
    draws = min(-(-(dim + 2) // objective.chunk) * objective.chunk, CURVATURE_DRAWS)
    probe = MeanField(loc, np.log(PROBE * guess))
    known = unlearned(guess**-2)
    at = estimate(objective, probe, known, key, draws)
    ledger = Ledger(gradients=draws)
    small = MeanField(loc, np.log(np.minimum(guess, 1.0)))
    if at.sample.sums.dropped > 0 or not at.fine:
        return Start(small, known, ledger, "climb"), False
    if isinstance(known, DenseCurvature):
        known = known._replace(weight=1e-6)
    learned = known.learn(probe, at.sample, at.made_with)
    precision = _precision(at, learned)
    reach = np.maximum(1.0, np.abs(loc - origin))
    positive = precision > 0
    scale = np.where(
        positive, np.minimum(np.where(positive, precision, 1.0) ** -0.5, reach), small.scale
    )
    q = MeanField(loc, np.log(scale))
    if at.sample.sums.x_outer_x.size == 0:
        start = Start(q, unlearned(scale**-2), ledger, "climb", ascent.end.value)
        return start, bool(np.all(positive))
    clean = bool(np.all(positive) and learned.spectrum(q).values.max() < CLEAN)
    return Start(q, learned, ledger, "climb", ascent.end.value), clean


def _precision(at: Estimate, learned: Curvature) -> Vector:
    """Minus the diagonal of the Hessian: learned, or Hutchinson's estimate in high dimension."""
    if at.sample.sums.x_outer_x.size:
        return -learned.diagonal(MeanField(at.q.loc, np.zeros_like(at.q.loc)))
    return -(math.sqrt(2) * at.plain.w - 1.0) / at.q.scale**2


def _early(ascent: Ascent) -> Vector:
    """The first point after which a step of the climb brought little against the dimension.

    The typical set lies dim / 2 nats under the mode, so a climb that gains less than a share
    of that in a step has reached it, and runs on into a corner if there is one.
    """
    little = max(ascent.end.x.size, 5) / 4
    for before, after in zip(ascent.path, ascent.path[1:], strict=False):
        if after.value - before.value < little:
            return after.x
    return ascent.end.x


def ascend_from(objective: Objective, loc: Vector, key: jax.Array) -> tuple[MeanField, int]:
    """L-BFGS on the ELBO of a few fixed draws, in (loc, log_scale); the gradients it cost."""
    dim = loc.size
    flat = unlearned(np.zeros(dim))

    def sampled(x: Vector) -> tuple[float, Vector]:
        q = MeanField(x[:dim], x[dim:])
        with np.errstate(all="ignore"):
            at = estimate(objective, q, flat, key, SECOND_DRAWS)
            gradient = q.chart_gradient(at.plain.u, at.plain.w)
        return (at.elbo, gradient) if at.fine else (-math.inf, np.zeros_like(x))

    x = np.concatenate([loc, np.full(dim, SECOND_LOG_SCALE)])
    start = Point(x, *sampled(x))
    ascent = ascend(sampled, start, evaluations=SECOND_EVALUATIONS, gain=1.0, memory=20)
    end = ascent.end.x
    return MeanField(end[:dim], end[dim:]), (ascent.evaluations + 1) * SECOND_DRAWS


def _plain_elbo(objective: Objective, q: MeanField, key: jax.Array) -> float:
    """The ELBO on a few draws that both starts share, tails included: in the corner of a funnel
    most draws look splendid, and the rest decide."""
    control = unlearned(np.ones(q.loc.size)).control(q, np.zeros_like(q.loc))
    values = objective.values(q, control, key, COMPARE_DRAWS).values
    return float(np.where(np.isfinite(values), values, WORST).mean()) + q.log_volume()
