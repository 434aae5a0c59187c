"""DADVI: the ELBO on draws fixed once, maximised to convergence (Giordano, Ingram and Broderick
2024, "Black box variational inference with a deterministic objective: faster, more accurate, and
even more black box").

The sampled ELBO is a deterministic function, so a trust-region Newton method finds its maximum
exactly; Nocedal and Wright 2006, algorithm 4.1, over Krylov subproblems. What the draws' choice
did to that maximum is estimated at the end: with per-draw gradients g_n and the Hessian H of the
mean, the parameters' Monte-Carlo covariance is cov(H^-1 g_n) / N (the sandwich formula).

A converged maximum on 30 draws is not yet one of the ELBO: fresh draws decide on the verdict.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from jaxtyping import Array, Float

from trustvi._errors import InputError
from trustvi.diagnostics import Verdict
from trustvi.families import MeanField
from trustvi.models import Model
from trustvi.objective import MAX_DRAWS, DrawKind, Ledger, Objective, Products
from trustvi.optimize._config import LadderConfig
from trustvi.optimize._ladder import LadderTrustVI
from trustvi.optimize._method import Info
from trustvi.optimize._newton import (
    SampledGradient,
    conjugate_gradients,
    derived_key,
    moved,
    product_at,
    sampled_gradient,
)
from trustvi.optimize._stopping import find_finite_start, runaway
from trustvi.optimize._subproblem import Outcome, Step, solve_krylov

Vector = Float[np.ndarray, " n"]

# Trust-region constants: Nocedal and Wright 2006, algorithm 4.1.
ACCEPT, POOR, GOOD = 0.1, 0.25, 0.75
VANISHED, GREATEST_RADIUS = 1e-10, 1e6
# A residual, against the gradient's norm, at which H^-1 g_n is known far better than the error
# that is estimated with it.
ERROR_RTOL = 1e-3


@dataclass(frozen=True)
class DadviConfig:
    """The number of draws, and how exactly the maximum over them is wanted."""

    draws: int = 30
    """Fixed draws; the paper's default."""
    gain: float = 1e-6
    """Nats that the last Newton step may still promise."""
    krylov_limit: int = 100
    """Hessian-vector products an iteration at the most."""
    max_iterations: int = 500
    """Trust-region iterations at the most."""
    radius: float = 1.0
    """First radius, in (loc, log_scale)."""
    errors: bool = True
    """Estimate the Monte-Carlo error of the parameters at the end: one linear system a draw."""

    def __post_init__(self) -> None:
        if not 2 <= self.draws <= MAX_DRAWS:
            raise InputError(f"draws = {self.draws} is out of range: from 2 to {MAX_DRAWS}")
        for name in ("krylov_limit", "max_iterations"):
            if getattr(self, name) < 1:
                raise InputError(f"{name} = {getattr(self, name)} is out of range: at least 1")
        for name in ("gain", "radius"):
            if not 0 < getattr(self, name) < math.inf:
                raise InputError(
                    f"{name} = {getattr(self, name)} is out of range: it must lie in (0, inf)"
                )


class DadviState(NamedTuple):
    """What the next iteration needs."""

    q: MeanField
    ledger: Ledger
    iteration: int
    seed: int
    radius: float
    elbo: float
    """On the fixed draws."""
    elbo_se: float
    gradient: Vector
    arrived: bool
    loc_mcse: Vector
    """Monte-Carlo standard errors of `q.loc` and `q.log_scale`; empty until the end."""
    log_scale_mcse: Vector


class Dadvi:
    """DADVI over a compiled model."""

    def __init__(self, model: Model, config: DadviConfig, *, tol: float) -> None:
        self.config, self.dim = config, model.param_unc_num()
        self.check = LadderTrustVI(model, LadderConfig(), tol=tol)
        self.objective, self.point = self.check.objective, self.check.point
        # One chunk of all draws, so that a replicate is a draw and products see the same draws.
        draws = config.draws
        self.fixed = Objective(model, kind=DrawKind.IID, chunk=draws, dense=False)
        self.products = Products(model, kind=DrawKind.IID, draws=draws)
        self.parts = (*self.check.parts, self.fixed, self.products)

    def init(self, start: Vector | None, seed: int) -> tuple[DadviState, Info, Verdict | None]:
        """Unit scales around the starting point; narrower ones while draws overflow there."""
        theta, tried = find_finite_start(self.point, self.dim, start, seed)
        q = MeanField(np.zeros(self.dim) if theta is None else np.array(theta), np.zeros(self.dim))
        nothing = np.zeros(0)
        state = DadviState(
            q, Ledger(gradients=tried), 0, seed, self.config.radius, math.nan, math.nan,
            np.zeros(2 * self.dim), False, nothing, nothing,
        )  # fmt: skip
        while theta is not None and not runaway(state.q):
            state, at = self._evaluate(state, state.q)
            if at.finite:
                return self._at(state, state.q, at), _info(state, "start"), None
            state = state._replace(q=moved(state.q, np.repeat([0.0, -1.0], self.dim)))
        return state, _info(state, "no start"), Verdict.NO_START

    def step(self, state: DadviState) -> tuple[DadviState, Info, Verdict | None]:
        """One trust-region iteration on the fixed draws."""
        c = self.config
        if state.arrived or state.iteration >= c.max_iterations:
            return self._finish(state)
        move = self._propose(state)
        used = state.ledger.add(products=move.products * c.draws)
        state = state._replace(iteration=state.iteration + 1, ledger=used)
        if move.outcome is Outcome.INTERIOR and 0 <= move.gain < c.gain:
            state = state._replace(arrived=True)
            return state, _info(state, "arrived", move, 0.0), None
        there = moved(state.q, move.s)
        state, at = self._evaluate(state, there)
        change = at.elbo - state.elbo if at.finite else -math.inf
        ratio = change / move.gain if move.gain > 0 else -math.inf
        length = float(np.linalg.norm(move.s))
        radius = state.radius
        if ratio < POOR:
            radius = 0.25 * min(length, radius) if length > 0 else 0.25 * radius
        elif ratio > GOOD and move.multiplier > 0:
            radius = min(2 * radius, GREATEST_RADIUS)
        state = state._replace(radius=radius)
        if ratio >= ACCEPT:
            state = self._at(state, there, at)
        verdict = Verdict.STALLED if radius < VANISHED else None
        verdict = Verdict.UNBOUNDED if runaway(state.q) else verdict
        return (
            state,
            _info(state, move.outcome.name.lower(), move, change, ratio >= ACCEPT),
            verdict,
        )

    def _propose(self, state: DadviState) -> Step:
        product = product_at(self.products, state.q, self._key(state.seed))
        return solve_krylov(product, state.gradient, state.radius, limit=self.config.krylov_limit)

    def _evaluate(self, state: DadviState, q: MeanField) -> tuple[DadviState, SampledGradient]:
        at = sampled_gradient(self.fixed, q, self._key(state.seed), self.config.draws)
        return state._replace(ledger=state.ledger.add(gradients=self.config.draws)), at

    def _at(self, state: DadviState, q: MeanField, at: SampledGradient) -> DadviState:
        return state._replace(q=q, elbo=at.elbo, elbo_se=at.elbo_se, gradient=at.mean)

    def _finish(self, state: DadviState) -> tuple[DadviState, Info, Verdict | None]:
        """The errors of the parameters, and the word of fresh draws."""
        if self.config.errors and state.arrived:
            state = self._with_errors(state)
        confirmed, ledger = self.check.confirms(state.q, state.ledger, state.seed)
        without = Verdict.STOPPED if state.arrived else Verdict.BUDGET
        state = state._replace(ledger=ledger)
        return state, _info(state, "check"), Verdict.CONVERGED if confirmed else without

    def _with_errors(self, state: DadviState) -> DadviState:
        """sd(H^-1 g_n) / sqrt(N), one system H x = g_n for each draw."""
        n = self.config.draws
        state, at = self._evaluate(state, state.q)
        product = product_at(self.products, state.q, self._key(state.seed))
        solved = [
            conjugate_gradients(lambda s: -product(s), g, limit=2 * g.size, rtol=ERROR_RTOL)
            for g in at.replicates.T
        ]
        spent = sum(solution.products for solution in solved) * n
        mcse = np.std([solution.x for solution in solved], axis=0, ddof=1) / math.sqrt(n)
        return state._replace(
            loc_mcse=mcse[: self.dim], log_scale_mcse=mcse[self.dim :],
            ledger=state.ledger.add(products=spent),
        )  # fmt: skip

    def _key(self, seed: int) -> Array:
        """One key for all iterations: the draws stay."""
        return derived_key(seed, 0)


def _info(
    state: DadviState, note: str, move: Step | None = None, change: float = math.nan,
    accepted: bool = True,
) -> Info:  # fmt: skip
    return Info(
        iteration=state.iteration,
        oracle_calls=state.ledger.oracle_calls,
        seconds=0.0,
        elbo=state.elbo,
        elbo_se=state.elbo_se,
        radius=state.radius,
        gradient_draws=0,
        judge_draws=0,
        predicted=move.gain if move else math.nan,
        change=change,
        change_se=math.nan,
        accepted=accepted,
        note=note,
    )
