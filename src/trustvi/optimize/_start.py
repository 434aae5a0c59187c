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
from trustvi.optimize._polish import Polished, polish
from trustvi.optimize._stopping import runaway

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
# What the quadratic at the climb's end may still promise, in nats, for the climb to have arrived.
CLIMB_GAIN_LEFT = 0.5
# Oracle calls that Newton's method may spend; and Hessians, or at most calls, where the climb rose
# by so many nats a dimension that the start was far out: a log scale moves by a half in each step.
NEWTON_CALLS, FAR_HESSIANS, FAR_CALLS, FAR = 1.0, 20, 6.0, 300.0


class Start(NamedTuple):
    """A first approximation, what is known of the curvature, and what it cost."""

    q: MeanField
    curvature: Curvature
    ledger: Ledger
    note: str
    top: float = -math.inf
    """The log density at `q.loc`."""
    gain_left: float = math.inf
    """What a Newton step with this curvature promises; infinite where nothing is known."""
    trusted: bool = False


def climb(density: PointDensity, theta: Vector, evaluations: int) -> Ascent:
    """L-BFGS on the log density from `theta`, one draw an evaluation."""
    start = Point(theta, *density(theta))
    return ascend(density, start, evaluations=evaluations, gain=CLIMB_GAIN)


def choose_start(
    objective: Objective, density: PointDensity, theta: Vector, key: jax.Array, evaluations: int
) -> Start:
    """The Laplace approximation of the first mode to be trusted, or the best of second starts."""
    ascent = climb(density, theta, evaluations)
    spent = Ledger(gradients=ascent.evaluations + 1)
    tried: list[Start] = []
    for attempt in (_first, _from_climb, _from_origin):
        start, clean = attempt(objective, density, ascent, child_key(key, 0), tried)
        if start is None:
            continue
        spent = spent.add(**start.ledger._asdict())
        tried.append(start)
        if clean:
            cost, trusted = _looks_normal(objective, start, child_key(key, 3))
            spent = spent.add(values=cost)
            if trusted:
                return start._replace(ledger=spent, trusted=True)
    return _second_start(objective, ascent, tried, spent, key)


def _first(
    objective: Objective, density: PointDensity, ascent: Ascent, key: jax.Array, tried: list[Start]
) -> tuple[Start | None, bool]:
    """The curvature at the climb's end."""
    del density, tried
    start, clean = laplace(objective, ascent, ascent.path[0].x, key)
    return start, clean and not (objective.dense and start.gain_left > CLIMB_GAIN_LEFT)


def _from_climb(
    objective: Objective, density: PointDensity, ascent: Ascent, key: jax.Array, tried: list[Start]
) -> tuple[Start | None, bool]:
    """Newton steps from the climb's end, unless the curvature there was good already."""
    del key
    if not objective.dense or not math.isfinite(tried[0].gain_left):
        return None, False
    known = tried[0].curvature
    assert isinstance(known, DenseCurvature)
    polished = polish(density, ascent.end, CLIMB_GAIN, hessian=known.matrix, calls=NEWTON_CALLS)
    return _normal_at(polished, ascent.path[0].x)


def _from_origin(
    objective: Objective, density: PointDensity, ascent: Ascent, key: jax.Array, tried: list[Start]
) -> tuple[Start | None, bool]:
    """Newton steps from where the climb began, which scales of the parameters don't mislead.

    Far out, a gradient's greatest parts are those of log scales, which grow to explain what the
    locations don't yet; and where they have grown, hierarchies collapse.
    """
    del key, tried
    if not objective.dense:
        return None, False
    origin = ascent.path[0]
    far = ascent.end.value - origin.value > FAR * origin.x.size
    calls = NEWTON_CALLS
    if far:
        twenty = Ledger(gradients=FAR_HESSIANS * (origin.x.size + 1)).oracle_calls
        calls = min(max(twenty, 3 * NEWTON_CALLS), FAR_CALLS)
    scale = np.clip(np.abs(origin.x), 0.01, 1.0)
    polished = polish(density, origin, CLIMB_GAIN, scale=scale, calls=calls)
    return _normal_at(polished, origin.x)


def _second_start(
    objective: Objective, ascent: Ascent, tried: list[Start], spent: Ledger, key: jax.Array
) -> Start:
    """The best of the starts tried and of ascents of the ELBO, on common draws."""
    early = _early(ascent)
    seeds = [MeanField(early, np.full(early.size, SECOND_LOG_SCALE))]
    seeds += [start.q for start in tried if start.note == "newton"][-1:]
    found = list(tried)
    for q in seeds:
        end, gradients = ascend_from(objective, q, child_key(key, 1), SECOND_DRAWS)
        cost = Ledger(gradients=gradients)
        spent = spent.add(gradients=gradients)
        # On so few draws an ascent may collapse where the density itself is bounded.
        if not (runaway(end) and found):
            found.append(Start(end, unlearned(end.scale**-2), cost, "second start"))
    elbos = [_plain_elbo(objective, start.q, child_key(key, 2)) for start in found]
    spent = spent.add(values=COMPARE_DRAWS * len(found))
    best = max(range(len(found)), key=lambda i: (elbos[i] == elbos[i], elbos[i]))
    return found[best]._replace(ledger=spent)


def _looks_normal(objective: Objective, start: Start, key: jax.Array) -> tuple[int, bool]:
    """Draws spent, and whether draws from a mode's Laplace approximation have the densities that
    it predicts.

    A funnel's tip is a clean mode, too, but draws around it fall far below its quadratic.
    """
    control = start.curvature.control(start.q, np.zeros_like(start.q.loc))
    sample = objective.values(start.q, control, key, TRUST_DRAWS)
    loss = start.top - float(np.mean(sample.values - sample.controls))
    return TRUST_DRAWS, loss < max(TRUSTED_LOSS, TRUSTED_SHARE * start.q.loc.size)


def _normal_at(polished: Polished, origin: Vector) -> tuple[Start, bool]:
    """The Laplace approximation at the end of Newton steps, and whether it is a clean mode.

    A coordinate along which the density isn't concave gets the scale of a second start.
    """
    precision = -np.diag(polished.hessian)
    usable = np.isfinite(precision) & (precision > 0)
    reach = np.maximum(1.0, np.abs(polished.end.x - origin))
    scale = np.where(usable, np.where(usable, precision, 1.0) ** -0.5, math.exp(SECOND_LOG_SCALE))
    end = polished.end
    if not np.all(np.isfinite(polished.hessian)):
        q = MeanField(end.x, np.log(np.minimum(scale, reach)))
        return Start(q, unlearned(q.scale**-2), polished.ledger, "newton", end.value), False
    known = DenseCurvature(polished.hessian)
    q = MeanField(end.x, np.log(scale))
    clean = bool(np.all(usable)) and math.isfinite(polished.gain_left)
    clean = clean and bool(known.spectrum(q).values.max() < -LEAST_FLOOR)
    if not clean:
        q = q._replace(log_scale=np.minimum(q.log_scale, np.log(reach)))
    return Start(q, known, polished.ledger, "newton", end.value), clean


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
    q, top = MeanField(loc, np.log(scale)), ascent.end.value
    if at.sample.sums.x_outer_x.size == 0:
        return Start(q, unlearned(scale**-2), ledger, "climb", top), bool(np.all(positive))
    spectrum = learned.spectrum(q)
    pull = spectrum.rotate(ascent.end.gradient * q.scale)
    left = 0.5 * float(np.sum(pull**2 / np.maximum(np.abs(spectrum.values), LEAST_FLOOR)))
    clean = bool(np.all(positive) and spectrum.values.max() < CLEAN)
    return Start(q, learned, ledger, "climb", top, left if left == left else math.inf), clean


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


def ascend_from(
    objective: Objective, home: MeanField, key: jax.Array, draws: int, *, gain: float = 1.0
) -> tuple[MeanField, int]:
    """L-BFGS on the ELBO of a few fixed draws, in the scales of `home`; the gradients it cost."""
    dim = home.loc.size
    flat = unlearned(np.zeros(dim))
    unit = np.concatenate([home.scale, np.ones(dim)])

    def member(x: Vector) -> MeanField:
        return MeanField(home.loc + home.scale * x[:dim], home.log_scale + x[dim:])

    def sampled(x: Vector) -> tuple[float, Vector]:
        q = member(x)
        with np.errstate(all="ignore"):
            at = estimate(objective, q, flat, key, draws)
            gradient = unit * q.chart_gradient(at.plain.u, at.plain.w)
        return (at.elbo, gradient) if at.fine else (-math.inf, np.zeros_like(x))

    x = np.zeros(2 * dim)
    start = Point(x, *sampled(x))
    ascent = ascend(sampled, start, evaluations=SECOND_EVALUATIONS, gain=gain, memory=20)
    return member(ascent.end.x), (ascent.evaluations + 1) * draws


def _plain_elbo(objective: Objective, q: MeanField, key: jax.Array) -> float:
    """The ELBO on a few draws that both starts share, tails included: in the corner of a funnel
    most draws look splendid, and the rest decide."""
    control = unlearned(np.ones(q.loc.size)).control(q, np.zeros_like(q.loc))
    values = objective.values(q, control, key, COMPARE_DRAWS).values
    return float(np.where(np.isfinite(values), values, WORST).mean()) + q.log_volume()
