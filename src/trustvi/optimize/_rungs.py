"""What an iteration of the ladder knows, and what it makes of region and sample sizes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from jaxtyping import Float

from trustvi.families import Family
from trustvi.objective import MAX_DRAWS, Ledger
from trustvi.optimize._config import LadderConfig
from trustvi.optimize._curvature import Curvature
from trustvi.optimize._estimate import Estimate, Newton, Slope
from trustvi.optimize._judge import Change
from trustvi.optimize._lbfgs import Pairs

# While much is left to gain, more draws than one of the paper's minibatches buy little.
FAR_DRAWS = 256
FAR_GAIN = 2.0
# Noise under this share of a gain means that fewer draws would have shown the way as well.
CLEAR = 0.02
# Shares of what a far step promised that fresh draws must show, to stay on the rung, or go down.
STAY, DOWN = 0.5, 0.9
# Standard error that a judgement should have, as a share of the gain in question or of `tol`; its
# draws are chosen by the last error on hand, which falls faster than draws^(-1/2).
SHARP, SHARP_TOL, LEAST_JUDGES = 0.1, 0.3, 32
# The greatest change of a judgement's draws from one to the next.
GROWTH = 4
# Standard errors by which the confirmed change must stay under the tolerance: the 97.5% point of
# Student's t with 7 degrees of freedom, one less than the replicates.
STOP_ERRORS = 2.4
# Radii, in root-mean-square standard deviations of a coordinate.
LEAST_RADIUS, GREATEST_RADIUS = 0.02, 32.0
# Pairs of the last ascents are kept up to this dimension.
MOST_KEPT_DIM = 10_000
# What a rejection leaves of the hope for far steps.
DISAPPOINTED = 0.25


class LadderState(NamedTuple):
    """What the next iteration needs."""

    q: Family
    curvature: Curvature
    pairs: Float[np.ndarray, "2 pairs n"]
    """Steps and changes of gradient in the family's chart, from the last ascents."""
    ledger: Ledger
    iteration: int
    seed: int
    radius: float
    draws: int
    judge_draws: int
    hope: float
    """Nats that a step from here may gain, by what the last ones gained."""
    plain_until: int
    """The control variate stays off until this iteration, after it misled a proposal."""
    rejections: int
    """Iterations in a row without an accepted step that had something to gain."""
    waits: int
    """Rounds spent at the largest sample size."""
    lost: int
    """Iterations that met draws without a finite density."""
    rounds: int
    """Rounds of second opinions left."""
    restarts: int
    """Further starts left for a fit that comes to nothing."""


class Reading(NamedTuple):
    """An estimate with the choices that follow from it."""

    at: Estimate
    curvature: Curvature
    model: Newton
    slope: Slope
    controlled: bool
    concave: bool


class Proposal(NamedTuple):
    """A point, what it gains on the sample, gradients spent, and what was learned on the way."""

    end: Family
    gain: float
    evaluations: int
    curvature: Curvature
    pairs: Pairs


def kept(pairs: Pairs, dim: int) -> Float[np.ndarray, "2 pairs n"]:
    """The pairs as an array; none in dimensions where they would fill the memory."""
    if not pairs or dim > MOST_KEPT_DIM:
        return np.zeros((2, 0, 0))
    return np.array(pairs).swapaxes(0, 1)


@dataclass(frozen=True)
class Rungs:
    """The rules by which an iteration's outcome sets the draws and the region of the next."""

    config: LadderConfig
    tol: float
    dim: int

    def resize(
        self, state: LadderState, read: Reading, proposal: Proposal, change: Change, accepted: bool
    ) -> LadderState:
        """Move or not; the region; the rung of the ladder."""
        gain = proposal.gain
        far = self.far(state)
        state = self.sharpened(state, gain, change)
        if accepted:
            state = state._replace(
                q=proposal.end, curvature=proposal.curvature, pairs=kept(proposal.pairs, self.dim),
                rejections=0, hope=change.mean, radius=min(2 * state.radius, GREATEST_RADIUS),
            )  # fmt: skip
            more = read.model.noise > max(0.1 * gain, 0.3 * self.tol)
        else:
            state = state._replace(
                curvature=read.curvature, pairs=kept((), self.dim), rejections=state.rejections + 1,
                hope=DISAPPOINTED * state.hope,
                plain_until=state.iteration + 2 if read.controlled else state.plain_until,
                radius=max(0.5 * state.radius, LEAST_RADIUS),
            )  # fmt: skip
            more = not read.controlled
        if far:
            more = not accepted or change.mean < STAY * gain
        # Where a step led out of the support, it was too long, not too noisy.
        more = more and math.isfinite(change.mean)
        fewer = change.mean > DOWN * gain if far else read.model.noise < CLEAR * gain
        if accepted and gain > FAR_GAIN and fewer:
            fewer = state.draws // self.config.growth
            return state._replace(draws=max(fewer, self.config.first_draws))
        state = self.more_draws(state, read) if more else state
        gained = accepted and change.mean - STOP_ERRORS * change.error > self.tol
        return state._replace(waits=0) if gained else state

    def far(self, state: LadderState) -> bool:
        """Whether steps still gain so much that an ascent on few draws is worth a try, however
        noisy its gradient: what noise there is lies mostly in directions that hardly matter."""
        return state.hope > FAR_GAIN

    def sharpened(self, state: LadderState, gain: float, change: Change) -> LadderState:
        """Draws of the next judgement, by the error of the last."""
        wanted = max(SHARP * gain, SHARP_TOL * self.tol)
        excess = min(change.error / wanted, GROWTH)
        growth = excess**1.5 if math.isfinite(change.error / wanted) else 2.0
        most = min(GROWTH * change.draws, 2 * max(state.draws, LEAST_JUDGES), MAX_DRAWS)
        needed = min(max(growth * change.draws, LEAST_JUDGES, change.draws / GROWTH), most)
        return state._replace(judge_draws=2 ** math.ceil(math.log2(needed)))

    def ready(self, read: Reading) -> bool:
        """Whether the Newton step promises less than the tolerance and noise hides no more."""
        return read.concave and read.model.gain < self.tol and read.model.noise < self.tol

    def too_noisy(self, state: LadderState, read: Reading) -> bool:
        noise, gain = read.model.noise, read.model.gain
        top = FAR_DRAWS if gain > FAR_GAIN else MAX_DRAWS
        noisy = noise > max(0.5 * gain, 0.25 * self.tol) and state.draws < top
        return noisy and not self.ready(read) and not self.far(state)

    def more_draws(self, state: LadderState, read: Reading) -> LadderState:
        near = read.model.gain <= FAR_GAIN or (state.iteration > 1 and not self.far(state))
        top = MAX_DRAWS if near else max(FAR_DRAWS, state.draws)
        at_top = state.draws == MAX_DRAWS
        return state._replace(
            draws=min(state.draws * self.config.growth, top), waits=state.waits + at_top
        )
