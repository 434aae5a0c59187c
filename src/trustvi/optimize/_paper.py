"""The paper's Algorithm 1, with its minibatches, Euclidean trust region and iid draws.

An iteration is four parts: *estimate* a quadratic model from a minibatch, *propose* its maximiser
in the trust region, *judge* the step on fresh draws, *resize* the region and the samples.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import jax
import numpy as np
from jaxtyping import Float

from trustvi.diagnostics import Verdict
from trustvi.families import MeanField
from trustvi.models import Model
from trustvi.objective import (
    MAX_DRAWS,
    Control,
    DrawKind,
    Gradient,
    Ledger,
    Objective,
    PointDensity,
    Products,
    make_key,
)
from trustvi.optimize._config import PAPER_CHUNK, PaperConfig
from trustvi.optimize._method import Info
from trustvi.optimize._sampling import (
    draws_to_accept,
    draws_to_reject,
    jackknife_norm_sd,
    next_gradient_draws,
    next_judge_draws,
)
from trustvi.optimize._stopping import find_finite_start, runaway
from trustvi.optimize._subproblem import Step, no_step, solve_dense, solve_krylov

# A region this small against its greatest radius moves no parameter visibly.
VANISHED = 1e-12
Vector = Float[np.ndarray, " n"]


class PaperState(NamedTuple):
    """What Algorithm 1 carries from one iteration to the next."""

    q: MeanField
    ledger: Ledger
    iteration: int
    seed: int
    radius: float
    gradient_draws: int
    judge_draws: int
    hessian_key: int
    """The iteration whose draws the Hessian is sampled on."""


class QuadraticModel(NamedTuple):
    """m(s) = g.s + s.H.s / 2, H by its products."""

    gradient: Vector
    product: Callable[[Vector], Vector]
    norm_sd: float
    elbo: float
    elbo_se: float


class Judgement(NamedTuple):
    """The change l' measured on fresh draws, and its standard deviation draw by draw."""

    change: float
    sigma: float
    draws: int


class PaperTrustVI:
    """TrustVI as the paper has it (`preset="paper"`)."""

    def __init__(self, model: Model, config: PaperConfig, *, tol: float) -> None:
        self.config, self.tol = config, tol
        self.dim = model.param_unc_num()
        self.objective = Objective(model, kind=DrawKind.IID, chunk=PAPER_CHUNK, dense=False)
        self.products = Products(model, kind=DrawKind.IID, draws=config.product_draws)
        self.point = PointDensity(model)
        self.parts = (self.point, self.objective, self.products)

    def init(self, start: Vector | None, seed: int) -> tuple[PaperState, Info, Verdict | None]:
        """Unit scales around the starting point, as Stan's ADVI starts."""
        c = self.config
        theta, tried = find_finite_start(self.point, self.dim, start, seed)
        q = MeanField(np.zeros(self.dim) if theta is None else theta, np.zeros(self.dim))
        ledger = Ledger(gradients=tried)
        state = PaperState(q, ledger, 0, seed, c.delta0, c.gradient_draws, c.judge_draws, 0)
        verdict = Verdict.NO_START if theta is None else None
        return state, _info(state, no_step(0), None, None, False), verdict

    def step(self, state: PaperState) -> tuple[PaperState, Info, Verdict | None]:
        """One iteration of Algorithm 1."""
        c = self.config
        model, ledger = self.estimate(state)
        move = self.propose(model, state.radius)
        ledger = ledger.add(products=move.products * c.product_draws)
        judged = self.judge(state, move)
        ledger = ledger.add(values=2 * judged.draws)
        accepted = judged.change >= c.eta * move.gain >= c.lam * state.radius**2
        new = self.resize(state._replace(ledger=ledger), model, move, judged, accepted)
        return (
            new,
            _info(new, move, model, judged, accepted),
            self.verdict(model, move, judged, new),
        )

    def estimate(self, state: PaperState) -> tuple[QuadraticModel, Ledger]:
        """Gradient from fresh draws; Hessian products on 85 draws, kept over one rejection."""
        key = self._key(state.seed, state.iteration, 0)
        sample = self.objective.gradient(
            state.q, Control.none(state.q.frame), key, state.gradient_draws
        )
        gradients = _replicate_gradients(state.q, sample)
        product = self.products.at(state.q, self._key(state.seed, state.hessian_key, 1))

        def apply(s: Vector) -> Vector:
            d_loc, d_log_scale = product(s[: self.dim], s[self.dim :])
            return np.concatenate([d_loc, d_log_scale])

        with np.errstate(all="ignore"):
            model = QuadraticModel(
                gradients.mean(axis=1),
                apply,
                jackknife_norm_sd(gradients),
                float(sample.values.mean()) + state.q.entropy(),
                float(sample.values.std() / math.sqrt(sample.draws)),
            )
        return model, state.ledger.add(gradients=sample.draws)

    def propose(self, model: QuadraticModel, radius: float) -> Step:
        """The maximiser of the model in the trust region."""
        g = model.gradient
        if self.config.explicit_hessian:
            h = np.stack([model.product(row) for row in np.eye(g.size)])
            return solve_dense(0.5 * (h + h.T), g, radius)._replace(products=g.size)
        return solve_krylov(model.product, g, radius, limit=self.config.krylov_limit)

    def judge(self, state: PaperState, move: Step) -> Judgement:
        """Matched pairs on fresh draws; none where the step is rejected anyway."""
        c = self.config
        if not c.eta * move.gain >= c.lam * state.radius**2:
            return Judgement(-math.inf, 0.0, 0)
        key, control = self._key(state.seed, state.iteration, 2), Control.none(state.q.frame)
        there = MeanField(state.q.loc + move.s[: self.dim], state.q.log_scale + move.s[self.dim :])
        before = self.objective.values(state.q, control, key, state.judge_draws)
        after = self.objective.values(there, control, key, state.judge_draws)
        with np.errstate(all="ignore"):
            change = after.values - before.values + there.entropy() - state.q.entropy()
        if not np.all(np.isfinite(change)):
            return Judgement(-math.inf, math.inf, state.judge_draws)
        return Judgement(float(change.mean()), float(change.std(ddof=1)), state.judge_draws)

    def resize(
        self,
        state: PaperState,
        model: QuadraticModel,
        move: Step,
        judged: Judgement,
        accepted: bool,
    ) -> PaperState:
        """The next iterate, region and sample sizes."""
        c, k = self.config, state.iteration
        q = state.q
        if accepted:
            q = MeanField(q.loc + move.s[: self.dim], q.log_scale + move.s[self.dim :])
        norm = float(np.linalg.norm(model.gradient))
        keep = not accepted and state.hessian_key == k
        return state._replace(
            q=q,
            iteration=k + 1,
            radius=min(c.gamma * state.radius, c.delta_max) if accepted else state.radius / c.gamma,
            gradient_draws=next_gradient_draws(
                state.gradient_draws, norm, model.norm_sd, c.gradient_draws, MAX_DRAWS
            ),
            judge_draws=self._next_judge_draws(state, norm, move, judged),
            hessian_key=k if keep else k + 1,
        )

    def _next_judge_draws(
        self, state: PaperState, norm: float, move: Step, judged: Judgement
    ) -> int:
        """By sigma_k as estimated from the draws just used, |g_k| standing for |grad L|.

        The second inequality holds for delta_k <= delta_k^-, which involves the unknown Lipschitz
        constant; it is enforced below min(delta^-, sqrt(eta m' / lambda)), the part that is known.
        """
        c = self.config
        if judged.draws == 0 or not math.isfinite(judged.sigma):
            return state.judge_draws
        needed = draws_to_reject(c, move.gain, state.radius, judged.sigma)
        if state.radius <= min(c.delta_minus, math.sqrt(c.eta * move.gain / c.lam)):
            needed = max(needed, draws_to_accept(c, norm, state.radius, judged.sigma))
        return next_judge_draws(state.judge_draws, needed, c.gradient_draws, MAX_DRAWS)

    def verdict(
        self, model: QuadraticModel, move: Step, judged: Judgement, state: PaperState
    ) -> Verdict | None:
        """The paper gives no stopping rule; ours: an interior step that gains less than `tol`,
        confirmed on fresh draws to two standard errors."""
        if runaway(state.q):
            return Verdict.UNBOUNDED
        if state.radius < VANISHED * self.config.delta_max:
            return Verdict.STALLED
        if judged.draws == 0 or not 0 <= move.gain < self.tol or move.multiplier > 0:
            return None
        error = judged.sigma / math.sqrt(judged.draws)
        if judged.change + 2 * error < self.tol:
            return Verdict.CONVERGED
        full = state.judge_draws == MAX_DRAWS and state.gradient_draws == MAX_DRAWS
        return Verdict.NOISE_FLOOR if full else None

    def _key(self, seed: int, iteration: int, purpose: int) -> jax.Array:
        return make_key(seed, iteration, purpose)


def _replicate_gradients(q: MeanField, sample: Gradient) -> Float[np.ndarray, "n groups"]:
    """Gradients in (loc, log_scale), averaged by replicate: E[h] / scale and E[h e] + 1."""
    means, products = map(sample.replicate_means, (sample.sums.r, sample.sums.r_shape))
    bad = sample.sums.dropped > 0
    stacked = np.concatenate([means / q.scale[:, None], products + 1.0])
    return np.full_like(stacked, np.nan) if bad else stacked


def _info(
    state: PaperState,
    move: Step,
    model: QuadraticModel | None,
    judged: Judgement | None,
    accepted: bool,
) -> Info:
    draws = judged.draws if judged else 0
    return Info(
        iteration=state.iteration,
        oracle_calls=state.ledger.oracle_calls,
        seconds=0.0,
        elbo=model.elbo if model else math.nan,
        elbo_se=model.elbo_se if model else math.nan,
        radius=state.radius,
        gradient_draws=state.gradient_draws,
        judge_draws=draws,
        predicted=move.gain,
        change=judged.change if judged else math.nan,
        change_se=judged.sigma / math.sqrt(draws) if judged and draws else math.nan,
        accepted=accepted,
        note=move.outcome.name.lower(),
    )
