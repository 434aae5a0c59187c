"""ADVI: stochastic gradient ascent of the ELBO as Stan has it (Kucukelbir et al. 2017).

Two phases. *Adaptation* tries the step sizes 100, 10, 1, 0.1, 0.01 in turn, 50 iterations each from
the start, and keeps the last one before the ELBO fell. *Ascent* iterates with it until the relative
changes of the ELBO in a rolling window are small in the mean or the median. Update, choice and
stopping rule are those of Stan 2.35; draws whose density or gradient is not finite are drawn again,
up to Stan's limits.

Stan's rule says that the ELBO changes little, not that little is left to gain. When it holds, fresh
draws are asked (`LadderTrustVI.confirms`); without their word the verdict is STOPPED.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import jax
import numpy as np
from jaxtyping import Array, Float

from trustvi._errors import InputError
from trustvi.diagnostics import Verdict
from trustvi.families import MeanField
from trustvi.models import Model
from trustvi.objective import Ledger
from trustvi.optimize._advi_kernels import Stride, Strides
from trustvi.optimize._config import LadderConfig
from trustvi.optimize._ladder import LadderTrustVI
from trustvi.optimize._method import Info
from trustvi.optimize._stopping import find_finite_start

STEP_SIZES = (100.0, 10.0, 1.0, 0.1, 0.01)
# The phases after the trials of step sizes, whose phases are their places in STEP_SIZES.
ASCENT, SETTLED, SPENT = 5, 6, 7
Vector = Float[np.ndarray, " n"]


@dataclass(frozen=True)
class AdviConfig:
    """Stan's options under names of ours, with a gradient minibatch between Stan's and the
    paper's, and a tolerance at which the stopping rule means something."""

    gradient_draws: int = 16
    """Stan's `grad_samples`."""
    elbo_draws: int = 100
    """Stan's `elbo_samples`."""
    max_iterations: int = 10_000
    """Stan's `iter`."""
    tol_rel_obj: float = 0.001
    """Relative change of the ELBO that ends the ascent."""
    eval_elbo: int = 100
    """Iterations from one ELBO to the next."""
    adapt: bool = True
    """Stan's `adapt engaged`: try the step sizes."""
    adapt_iterations: int = 50
    """Stan's `adapt iter`."""
    eta: float = 1.0
    """The step size if none is tried."""
    stride: int = 10
    """Iterations that one entry of the path stands for; no influence on the iterates."""

    def __post_init__(self) -> None:
        counts = ("gradient_draws", "elbo_draws", "max_iterations", "eval_elbo",
                  "adapt_iterations", "stride")  # fmt: skip
        for name in counts:
            if getattr(self, name) < 1:
                raise InputError(f"{name} = {getattr(self, name)} is out of range: at least 1")
        for name in ("tol_rel_obj", "eta"):
            if not 0 < getattr(self, name) < math.inf:
                raise InputError(
                    f"{name} = {getattr(self, name)} is out of range: it must lie in (0, inf)"
                )

    @property
    def window(self) -> int:
        """Relative changes that the stopping rule looks back on."""
        return int(max(0.1 * self.max_iterations / self.eval_elbo, 2.0))


class AdviState(NamedTuple):
    """What the next stride needs."""

    q: MeanField
    ledger: Ledger
    iteration: int
    """Iterations made, trials included."""
    seed: int
    start: Vector
    phase: int
    tick: int
    """Iterations made in this phase."""
    eta: float
    history: Vector
    """Weighted squares of the gradients, in (loc, log_scale)."""
    first_elbo: float
    trial_elbo: float
    """The ELBO that the trial before came to, and its step size."""
    trial_eta: float
    elbo: float
    changes: Vector
    """The rolling window of relative changes."""


def choose_eta(
    elbo: float, eta: float, trial_elbo: float, trial_eta: float, first_elbo: float
) -> tuple[float | None, bool]:
    """The step size if the trials are over, and whether they are.

    They are once the ELBO falls below that of the trial before, if that one had improved on the
    start; the last step size is taken if it improves on the start; else there is none.
    """
    if elbo < trial_elbo and trial_elbo > first_elbo:
        return trial_eta, True
    if eta > STEP_SIZES[-1]:
        return None, False
    return (eta if elbo > first_elbo else None), True


def relative_change(elbo: float, before: float) -> float:
    """|(before - elbo) / elbo|."""
    with np.errstate(all="ignore"):
        return float(abs((before - elbo) / np.float64(elbo)))


def settled(changes: Vector, tol_rel_obj: float) -> bool:
    """Whether the mean or the (upper) median of the window is below the tolerance."""
    median = np.sort(changes)[changes.size // 2]
    return bool(changes.mean() < tol_rel_obj or median < tol_rel_obj)


class Advi:
    """ADVI as in Stan, over a compiled model."""

    def __init__(self, model: Model, config: AdviConfig, *, tol: float) -> None:
        self.config, self.dim = config, model.param_unc_num()
        self.check = LadderTrustVI(model, LadderConfig(), tol=tol)
        self.objective, self.point = self.check.objective, self.check.point
        self.strides = Strides(model, config.gradient_draws, config.elbo_draws)
        self.parts = (*self.check.parts, self.strides)

    def init(self, start: Vector | None, seed: int) -> tuple[AdviState, Info, Verdict | None]:
        """Unit scales around the starting point, and the ELBO there."""
        c = self.config
        theta, tried = find_finite_start(self.point, self.dim, start, seed)
        loc = np.zeros(self.dim) if theta is None else np.array(theta)
        q, ledger = MeanField(loc, np.zeros(self.dim)), Ledger(gradients=tried)
        first, verdict = -math.inf, None if theta is not None else Verdict.NO_START
        if theta is not None and c.adapt:
            first, spent = self.strides.elbo(q, self._key(seed, len(STEP_SIZES), 0))
            ledger = ledger.add(values=spent)
            verdict = None if first > -math.inf else Verdict.NO_START
        state = AdviState(
            q=q, ledger=ledger, iteration=0, seed=seed, start=loc,
            phase=0 if c.adapt else ASCENT, tick=0, eta=STEP_SIZES[0] if c.adapt else c.eta,
            history=np.zeros(2 * self.dim), first_elbo=first, trial_elbo=-math.inf, trial_eta=0.0,
            elbo=0.0, changes=np.zeros(0),
        )  # fmt: skip
        return state, _info(state, None, first if math.isfinite(first) else math.nan), verdict

    def step(self, state: AdviState) -> tuple[AdviState, Info, Verdict | None]:
        """A stride of iterations, an ELBO where one is due, and what follows from it."""
        if state.phase in (SETTLED, SPENT):
            return self._ask_fresh_draws(state)
        c, trying = self.config, state.phase < ASCENT
        due = c.adapt_iterations if trying else self._next_elbo(state.tick)
        stride = self.strides.ascend(
            state.q, state.history, state.eta, state.tick, min(state.tick + c.stride, due),
            self._key(state.seed, state.phase, 1), robust=trying,
        )  # fmt: skip
        state = state._replace(
            q=stride.q, history=stride.history, tick=stride.tick,
            iteration=state.iteration + stride.tick - state.tick,
            ledger=state.ledger.add(gradients=stride.evaluated),
        )  # fmt: skip
        if stride.failed:
            return state, _info(state, stride), Verdict.OVERFLOW
        if not trying and state.tick == c.max_iterations:
            state = state._replace(phase=SPENT)
        if state.tick < due or (not trying and due % c.eval_elbo):
            return state, _info(state, stride), None
        elbo, spent = self.strides.elbo(state.q, self._key(state.seed, state.phase, 2, state.tick))
        state = state._replace(ledger=state.ledger.add(values=spent))
        return self._tried(state, elbo) if trying else self._ascended(state, elbo)

    def _next_elbo(self, tick: int) -> int:
        c = self.config
        return min(tick - tick % c.eval_elbo + c.eval_elbo, c.max_iterations)

    def _tried(self, state: AdviState, elbo: float) -> tuple[AdviState, Info, Verdict | None]:
        """The next trial, or the ascent from the start, once a step size has run its course."""
        chosen, over = choose_eta(
            elbo, state.eta, state.trial_elbo, state.trial_eta, state.first_elbo
        )
        info = _info(state, None, elbo)
        if over and chosen is None:
            return state, info, Verdict.NO_STEP_SIZE
        phase = ASCENT if over else state.phase + 1
        state = state._replace(
            q=MeanField(state.start, np.zeros(self.dim)), phase=phase, tick=0,
            eta=STEP_SIZES[phase] if chosen is None else chosen, history=np.zeros(2 * self.dim),
            trial_elbo=elbo, trial_eta=state.eta,
        )  # fmt: skip
        return state, info, None

    def _ascended(self, state: AdviState, elbo: float) -> tuple[AdviState, Info, Verdict | None]:
        """The stopping rule, where an ELBO was due."""
        c = self.config
        changes = np.append(state.changes, relative_change(elbo, state.elbo))[-c.window :]
        state = state._replace(elbo=elbo, changes=changes)
        if elbo == -math.inf:
            return state, _info(state, None, elbo), Verdict.OVERFLOW
        if settled(changes, c.tol_rel_obj):
            state = state._replace(phase=SETTLED)
        return state, _info(state, None, elbo), None

    def _ask_fresh_draws(self, state: AdviState) -> tuple[AdviState, Info, Verdict | None]:
        confirmed, ledger = self.check.confirms(state.q, state.ledger, state.seed)
        state = state._replace(ledger=ledger)
        without = Verdict.STOPPED if state.phase == SETTLED else Verdict.BUDGET
        info = _info(state)._replace(note="check")
        return state, info, Verdict.CONVERGED if confirmed else without

    def _key(self, seed: int, *purpose: int) -> Array:
        key = jax.random.key(seed)
        for number in purpose:
            key = jax.random.fold_in(key, number)
        return key


def _info(state: AdviState, stride: Stride | None = None, elbo: float = math.nan) -> Info:
    nan = math.nan
    names = {ASCENT: "ascent", SETTLED: "settled", SPENT: "spent"}
    return Info(
        iteration=state.iteration,
        oracle_calls=state.ledger.oracle_calls,
        seconds=0.0,
        elbo=stride.elbo if stride else elbo,
        elbo_se=stride.elbo_se if stride else nan,
        radius=state.eta,
        gradient_draws=0,
        judge_draws=0,
        predicted=nan,
        change=nan,
        change_se=nan,
        accepted=True,
        note=names.get(state.phase, "adaptation"),
    )
