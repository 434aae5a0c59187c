"""The default preset: Algorithm 1 in an affine-invariant metric, on a ladder of sample sizes.

The four parts of an iteration are the paper's. *Estimate*: a minibatch of quasi-random draws gives
the gradient, its noise, and the curvature. *Propose*: ascend the ELBO sampled on these very draws,
which are the model of this iteration, within the region. *Judge*: matched pairs on fresh
draws. *Resize*: more draws where noise hides what is left to gain, a smaller region after a
rejection. It stops when the Newton step promises less than `tol` nats and fresh draws confirm it.
"""

from __future__ import annotations

import math

import jax
import numpy as np
from jaxtyping import Float

from trustvi.diagnostics import Verdict
from trustvi.families import Ascending, Family, FullRank, MeanField
from trustvi.models import Model
from trustvi.objective import DrawKind, Ledger, Objective, PointDensity, make_key
from trustvi.optimize._ascent import Climbed, Sampled, ascend_sampled, newton_point
from trustvi.optimize._config import LadderConfig
from trustvi.optimize._curvature import DENSE_DIM, Curvature, unlearned
from trustvi.optimize._estimate import estimate, newton, spectral_floor
from trustvi.optimize._judge import Change, paired_change
from trustvi.optimize._method import Info
from trustvi.optimize._opinions import contest_draws, find_better
from trustvi.optimize._rungs import (
    FAR_GAIN,
    LEAST_JUDGES,
    STOP_ERRORS,
    LadderState,
    Proposal,
    Reading,
    Rungs,
    kept,
)
from trustvi.optimize._start import SECOND_DRAWS, choose_start
from trustvi.optimize._stopping import find_finite_start, runaway, too_large_to_judge

CHUNK = 8
# Hope of a start that isn't a trusted mode.
HOPE = 1e3
STALLED_AFTER = 20
LOST_AFTER = 15
# Draws with which a check of another method's result begins.
CONFIRM_DRAWS = 64
# Rounds of second opinions: none where the user chose the start.
ROUNDS = 2
# Further starts, where the user chose none, after an early verdict that says nothing was found.
RESTARTS, RESTART_CALLS = 1, 64.0
CAME_TO_NOTHING = (Verdict.UNBOUNDED, Verdict.STALLED)
# Oracle calls after which a fit that hasn't converged yet asks for the first.
ASK_CALLS = 8.0
# Rounds at the largest sample size after which more of them won't tell.
PATIENCE = 3
# A controlled ascent that gains this many times what the model promised exploits its control: far
# from home the quadratic is wrong, and its sampling error grows with it.
CEILING = 5.0
# Evaluations that one ascent may always make, and its most; calls for one that can gain little.
ASCENT_LEAST, ASCENT_MOST, FINISH_CALLS = 3, 30, 0.5
# Shares of `tol` under which an ascent looks for no more, on its way and at the end.
FINE, FINEST = 0.1, 1e-3
# Eigenvalues of S up to this count as flat: a ridge has one of exactly zero, but for rounding.
FLAT = 1e-8


class LadderTrustVI:
    """TrustVI beyond the paper (`preset="default"`)."""

    def __init__(
        self, model: Model, config: LadderConfig, *, tol: float, q: Family | None = None
    ) -> None:
        """The family is that of `q`, or mean field."""
        self.config, self.tol = config, tol
        self.dim = model.param_unc_num()
        self.rungs = Rungs(config, tol, self.dim)
        dense = self.dim <= DENSE_DIM or isinstance(q, FullRank)
        self.objective = Objective(model, kind=DrawKind.SOBOL, chunk=CHUNK, dense=dense, q=q)
        self.point = PointDensity(model)
        self.parts = (self.point, self.objective)

    def init(
        self, start: Float[np.ndarray, " dim"] | None, seed: int
    ) -> tuple[LadderState, Info, Verdict | None]:
        """The start that the climb, or the second start, leads to."""
        theta, tried = find_finite_start(self.point, self.dim, start, seed)
        ledger = Ledger(gradients=tried)
        if theta is None:
            nowhere = MeanField(np.zeros(self.dim), np.zeros(self.dim))
            state = self._state(nowhere, unlearned(np.ones(self.dim)), ledger, seed)
            return state, _info(state, None, None, None, False, "no start"), Verdict.NO_START
        state, note = self._begin(theta, self._key(seed, -1, 0), ledger, seed)
        if start is None:
            state = state._replace(rounds=ROUNDS, restarts=RESTARTS)
        return self._or_again(
            state, _info(state, None, None, None, False, note), self._limits(state)
        )

    def _begin(
        self, theta: Float[np.ndarray, " dim"], key: jax.Array, ledger: Ledger, seed: int
    ) -> tuple[LadderState, str]:
        """The state at the approximation to which the search for a start leads from `theta`."""
        chosen = choose_start(self.objective, self.point, theta, key, self.config.climb_evaluations)
        ledger = ledger.add(**chosen.ledger._asdict())
        state = self._state(chosen.q, chosen.curvature, ledger, seed)
        return state._replace(hope=0.0 if chosen.trusted else HOPE), chosen.note

    def _or_again(
        self, state: LadderState, info: Info, verdict: Verdict | None
    ) -> tuple[LadderState, Info, Verdict | None]:
        """From another random point, if this one came to nothing: the ELBO of a proper posterior
        has a maximum, which a collapse on few draws may miss."""
        late = state.ledger.oracle_calls > RESTART_CALLS
        if verdict not in CAME_TO_NOTHING or not state.restarts or late:
            return state, info, verdict
        rng = (state.seed, state.iteration + 1)
        theta, tried = find_finite_start(self.point, self.dim, None, rng)
        if theta is None:
            return state, info, verdict
        key, ledger = self._key(state.seed, state.iteration, 3), state.ledger.add(gradients=tried)
        fresh, note = self._begin(theta, key, ledger, state.seed)
        fresh = fresh._replace(
            iteration=state.iteration, rounds=state.rounds, restarts=state.restarts - 1
        )
        info = _info(fresh, None, None, None, False, f"again: {note}")
        return self._or_again(fresh, info, self._limits(fresh))

    def step(self, state: LadderState) -> tuple[LadderState, Info, Verdict | None]:
        """One iteration, and another start if it was the last of a fit that came to nothing."""
        return self._or_again(*self._iterate(state))

    def _iterate(self, state: LadderState) -> tuple[LadderState, Info, Verdict | None]:
        """Estimate, propose, judge, resize."""
        read = self.estimate(state)
        state = state._replace(
            iteration=state.iteration + 1, ledger=state.ledger.add(gradients=state.draws)
        )
        if read is None:
            return self._shrink(state)
        if self.rungs.too_noisy(state, read):
            state = self.rungs.more_draws(state._replace(curvature=read.curvature), read)
            return state, _info(state, read, None, None, False, "more draws"), self._limits(state)
        climbed = self.propose(state, read)
        proposal, gain, spent = climbed.end, climbed.gain, climbed.evaluations
        change = self.judge(state, read, proposal)
        met = math.isinf(change.mean) or read.at.sample.sums.dropped > 0
        state = state._replace(lost=state.lost + int(met))
        ledger = state.ledger.add(gradients=spent * state.draws, values=2 * change.draws)
        state = state._replace(ledger=ledger)
        if self._finished(read, gain, change):
            better = change.mean > change.error or self._clear(read, change)
            state = state._replace(q=proposal if better else state.q, curvature=read.curvature)
            state, found = self._ask(state, last=True)
            note, verdict = ("better mode", None) if found else ("converged", Verdict.CONVERGED)
            return state, _info(state, read, gain, change, better, note), verdict
        accepted = gain > 0 and change.mean >= self.config.eta * gain
        if accepted and runaway(proposal):
            return state, _info(state, read, gain, change, False, "runaway"), Verdict.UNBOUNDED
        if not accepted and too_large_to_judge(read.at.elbo, self.tol):
            state = state._replace(waits=state.waits + 1)
        state = self.rungs.resize(state, read, climbed, change, accepted)
        note = "ascent" if spent else "newton"
        if state.rounds == ROUNDS and state.ledger.oracle_calls > ASK_CALLS:
            state, found = self._ask(state, last=False)
            note = "better mode" if found else note
        return state, _info(state, read, gain, change, accepted, note), self._limits(state)

    def _ask(self, state: LadderState, *, last: bool) -> tuple[LadderState, bool]:
        """Go on from a better mode, if a second opinion knows one; else don't ask again: what
        falls short of an unfinished approximation falls short of the finished one."""
        if state.rounds == 0 or not isinstance(state.q, MeanField):
            return state, False
        other, close, ledger = find_better(
            self.objective, self.point, state.q, self._key(state.seed, state.iteration, 2),
            (state.seed, state.iteration), opinions=self.config.opinions,
            evaluations=self.config.climb_evaluations,
            draws=contest_draws(state.draws) if last else SECOND_DRAWS,
        )  # fmt: skip
        state = state._replace(ledger=state.ledger.add(**ledger._asdict()))
        if other is None:
            return state._replace(rounds=state.rounds - 1 if close else 0), False
        fresh = self._state(other.q, other.curvature, state.ledger, state.seed)
        fresh = fresh._replace(iteration=state.iteration, hope=HOPE, rounds=state.rounds - 1)
        return fresh, True

    def confirms(self, q: MeanField, ledger: Ledger, seed: int) -> tuple[bool, Ledger]:
        """Whether fresh draws show less than `tol` to gain from `q`, which another method found."""
        state = self._state(q, unlearned(q.scale**-2), ledger, seed)
        state = state._replace(draws=CONFIRM_DRAWS)
        while state.waits < PATIENCE and not runaway(q):
            read = self.estimate(state)
            state = state._replace(
                iteration=state.iteration + 1, ledger=state.ledger.add(gradients=state.draws)
            )
            if read is None:
                break
            if not self.rungs.too_noisy(state, read):
                proposal, gain, spent = self.propose(state, read)[:3]
                change = self.judge(state, read, proposal)
                ledger = state.ledger.add(gradients=spent * state.draws, values=2 * change.draws)
                state = self.rungs.sharpened(state._replace(ledger=ledger), gain, change)
                if self._finished(read, gain, change):
                    return True, state.ledger
                if change.mean - STOP_ERRORS * change.error > self.tol:
                    break
            state = self.rungs.more_draws(state._replace(curvature=read.curvature), read)
        return False, state.ledger

    def estimate(self, state: LadderState) -> Reading | None:
        """Gradient, noise and curvature; None where the sample has no finite mean."""
        key = self._key(state.seed, state.iteration, 0)
        at = estimate(self.objective, state.q, state.curvature, key, state.draws)
        if not at.fine:
            return None
        curvature = state.curvature.learn(state.q, at.sample, state.curvature)
        spectrum = curvature.spectrum(state.q)
        floor = spectral_floor(at)
        plain, controlled = (
            newton(state.q, at.plain, spectrum, floor),
            newton(state.q, at.centred, spectrum, floor),
        )
        concave = bool(spectrum.values.max() < FLAT)
        near = controlled.gain < max(FAR_GAIN, 0.04 * self.dim)
        # Only an ascent can exploit its control.
        safe = concave and near and state.iteration >= state.plain_until
        if (safe or not isinstance(state.q, Ascending)) and controlled.noise < plain.noise:
            return Reading(at, curvature, controlled, at.centred, True, concave)
        return Reading(at, curvature, plain, at.plain, False, concave)

    def propose(self, state: LadderState, read: Reading) -> Proposal:
        """The ascent's end on these draws, or the Newton step where an ascent finds nothing, or
        where the draws can't tell the family's shape.

        The last step is Newton's, however far it is in a flat direction: on a quadratic it is
        exact, and an ascent that finds less than the tolerance has said what it is for.
        """
        ready, ascended, spent = self.rungs.ready(read), 0.0, 0
        if isinstance(state.q, Ascending):
            climbed = self._ascend(state, state.q, read)
            ascended, spent = climbed.gain, climbed.evaluations
            last = ready and read.controlled and ascended < self.tol
            if spent > 0 and ascended > 0 and not last:
                return Proposal(
                    climbed.end.q, climbed.gain, spent, climbed.curvature, climbed.pairs
                )
        point, gain = newton_point(state.q, read.model, math.inf if ready else state.radius)
        return Proposal(point, max(gain, ascended), spent, read.curvature, ())

    def _ascend(self, state: LadderState, home: Ascending, read: Reading) -> Climbed:
        key = self._key(state.seed, state.iteration - 1, 0)
        ready = self.rungs.ready(read)
        calls, fewest = (FINISH_CALLS, 1) if ready else (self.config.inner_calls, ASCENT_LEAST)
        least = max(read.model.noise, FINE * self.tol, 0.1 * read.model.gain)
        if self.rungs.far(state):
            least = max(FINE * self.tol, 0.1 * read.model.gain)
        if ready:
            least = max(read.model.noise, FINEST * self.tol)
        sampled = Sampled(
            lambda q: estimate(self.objective, q, state.curvature, key, state.draws),
            read.controlled, home, state.curvature,
            CEILING * (read.model.gain + 1.0) if read.controlled else math.inf,
        )  # fmt: skip
        return ascend_sampled(
            sampled, read.at, state.curvature, tuple(map(tuple, state.pairs.swapaxes(0, 1))),
            evaluations=int(np.clip(calls * 256 / state.draws, fewest, ASCENT_MOST)),
            least=least, radius=state.radius,
        )  # fmt: skip

    def judge(self, state: LadderState, read: Reading, proposal: Family) -> Change:
        """The change on fresh draws."""
        key = self._key(state.seed, state.iteration - 1, 1)
        return paired_change(
            self.objective, state.q, proposal, read.curvature, read.slope.u, key, state.judge_draws
        )

    def _clear(self, read: Reading, change: Change) -> bool:
        """Whether a last step, too small for fresh draws to tell, is no work of noise."""
        return read.model.gain > 2 * read.model.noise and change.mean > -change.error

    def _finished(self, read: Reading, gain: float, change: Change) -> bool:
        """Whether neither the Newton step, nor the ascent, nor fresh draws promise more."""
        return (
            self.rungs.ready(read)
            and gain < self.tol
            and not too_large_to_judge(read.at.elbo, self.tol)
            and change.mean + STOP_ERRORS * change.error < self.tol
        )

    def _shrink(self, state: LadderState) -> tuple[LadderState, Info, Verdict | None]:
        """Draws without a finite density: a narrower approximation, until it is clear that none is
        narrow enough."""
        state = state._replace(q=state.q.shrunk(), lost=state.lost + 1)
        return state, _info(state, None, None, None, False, "shrink"), self._limits(state)

    def _limits(self, state: LadderState) -> Verdict | None:
        if runaway(state.q):
            return Verdict.UNBOUNDED
        if state.lost >= max(LOST_AFTER, state.iteration // 2):
            return Verdict.OUTSIDE_SUPPORT
        if state.rejections >= STALLED_AFTER:
            return Verdict.STALLED
        return Verdict.NOISE_FLOOR if state.waits >= PATIENCE else None

    def _state(self, q: Family, curvature: Curvature, ledger: Ledger, seed: int) -> LadderState:
        c = self.config
        return LadderState(
            q, curvature, kept((), self.dim), ledger, iteration=0, seed=seed, radius=c.radius,
            draws=c.first_draws, judge_draws=max(c.first_draws, LEAST_JUDGES), hope=0.0,
            plain_until=0, rejections=0, waits=0, lost=0, rounds=0, restarts=0,
        )  # fmt: skip

    def _key(self, seed: int, iteration: int, purpose: int) -> jax.Array:
        return make_key(seed, iteration + 1, purpose)


def _info(
    state: LadderState, read: Reading | None, gain: float | None, change: Change | None,
    accepted: bool, note: str,
) -> Info:  # fmt: skip
    nan = math.nan
    constant = state.q.entropy() - state.q.log_volume()
    return Info(
        iteration=state.iteration,
        oracle_calls=state.ledger.oracle_calls,
        seconds=0.0,
        elbo=read.at.elbo + constant if read else nan,
        elbo_se=read.at.elbo_se if read else nan,
        radius=state.radius,
        gradient_draws=read.at.sample.draws if read else 0,
        judge_draws=change.draws if change else 0,
        predicted=nan if gain is None else gain,
        change=change.mean if change else nan,
        change_se=change.error if change else nan,
        accepted=accepted,
        note=note,
    )
