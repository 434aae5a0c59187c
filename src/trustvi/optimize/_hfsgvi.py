"""HFSGVI: Hessian-free stochastic Newton steps (Fan, Wang, Beck, Kwok and Heller 2015).

Each iteration draws a gradient and, by conjugate gradients on sampled Hessian-vector products,
solves H s = -g; the step is taken whatever it does to the ELBO. Minibatches are those of the
comparison in Regier, Jordan and McAuliffe 2017. A step into values that overflow ends the run.

Neither paper has a stopping rule. Ours: the steps promise less than `tol`, or they have stopped
promising less from window to window, which is what they do at the minibatches' noise. Fresh draws
decide whether that is convergence.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from jaxtyping import Float

from trustvi._errors import InputError
from trustvi.diagnostics import Verdict
from trustvi.families import MeanField
from trustvi.models import Model
from trustvi.objective import MAX_DRAWS, DrawKind, Ledger, Objective, Products
from trustvi.optimize._config import PAPER_CHUNK, LadderConfig
from trustvi.optimize._ladder import LadderTrustVI
from trustvi.optimize._method import Info
from trustvi.optimize._newton import (
    SampledGradient,
    Solution,
    conjugate_gradients,
    derived_key,
    moved,
    product_at,
    sampled_gradient,
)
from trustvi.optimize._stopping import find_finite_start

Vector = Float[np.ndarray, " n"]


@dataclass(frozen=True)
class HfsgviConfig:
    """Minibatches of the comparison, and what neither paper gives."""

    gradient_draws: int = 256
    """Draws of a gradient minibatch (Regier et al. 2017, "Experiments")."""
    product_draws: int = 85
    """Draws of a Hessian-vector product (idem)."""
    cg_limit: int = 30
    """Products an iteration at the most; TrustVI's paper preset has the same limit."""
    cg_rtol: float = 1e-3
    """Share of the gradient at which a residual ends conjugate gradients."""
    max_iterations: int = 300
    """Steps at the most."""
    window: int = 5
    """Steps over which promises are averaged by the stopping rule."""

    def __post_init__(self) -> None:
        rungs = range(PAPER_CHUNK, MAX_DRAWS + 1, PAPER_CHUNK)
        if self.gradient_draws not in rungs:
            raise InputError(
                f"gradient_draws = {self.gradient_draws} is out of range: it must be a multiple "
                f"of {PAPER_CHUNK} up to {MAX_DRAWS}"
            )
        for name in ("product_draws", "cg_limit", "max_iterations", "window"):
            if getattr(self, name) < 1:
                raise InputError(f"{name} = {getattr(self, name)} is out of range: at least 1")
        if not 0 < self.cg_rtol < 1:
            raise InputError(f"cg_rtol = {self.cg_rtol} is out of range: it must lie in (0, 1)")


class HfsgviState(NamedTuple):
    """What the next iteration needs."""

    q: MeanField
    ledger: Ledger
    iteration: int
    seed: int
    promises: Vector
    """What the latest steps promised, two windows of them."""
    arrived: bool
    """Whether the stopping rule held."""


def arrived(promises: Vector, window: int, tol: float) -> bool:
    """Whether the last step promised less than `tol`, or a window's worth of steps between half and
    twice what the window before them promised. A negative promise leads to no maximum."""
    if promises.size and 0 <= promises[-1] < tol:
        return True
    if promises.size < 2 * window or np.any(promises[-2 * window :] <= 0):
        return False
    before, after = promises[-2 * window : -window], promises[-window:]
    return bool(0.5 < after.mean() / before.mean() < 2.0)


class Hfsgvi:
    """HFSGVI over a compiled model."""

    def __init__(self, model: Model, config: HfsgviConfig, *, tol: float) -> None:
        self.config, self.tol, self.dim = config, tol, model.param_unc_num()
        self.check = LadderTrustVI(model, LadderConfig(), tol=tol)
        self.objective, self.point = self.check.objective, self.check.point
        self.sampled = Objective(model, kind=DrawKind.IID, chunk=PAPER_CHUNK, dense=False)
        self.products = Products(model, kind=DrawKind.IID, draws=config.product_draws)
        self.parts = (*self.check.parts, self.sampled, self.products)

    def init(self, start: Vector | None, seed: int) -> tuple[HfsgviState, Info, Verdict | None]:
        """Unit scales around the starting point, as ADVI and TrustVI's paper preset start."""
        theta, tried = find_finite_start(self.point, self.dim, start, seed)
        loc = np.zeros(self.dim) if theta is None else np.array(theta)
        q = MeanField(loc, np.zeros(self.dim))
        state = HfsgviState(q, Ledger(gradients=tried), 0, seed, np.zeros(0), False)
        return state, _info(state, "start"), Verdict.NO_START if theta is None else None

    def step(self, state: HfsgviState) -> tuple[HfsgviState, Info, Verdict | None]:
        """One Newton step, taken without a question."""
        c = self.config
        if state.arrived or state.iteration >= c.max_iterations:
            return self._ask_fresh_draws(state)
        key = derived_key(state.seed, state.iteration, 0)
        at = sampled_gradient(self.sampled, state.q, key, c.gradient_draws)
        ledger = state.ledger.add(gradients=c.gradient_draws)
        if not at.finite:
            state = state._replace(ledger=ledger)
            return state, _info(state, "gradient overflows", at), Verdict.OVERFLOW
        product = product_at(self.products, state.q, derived_key(state.seed, state.iteration, 1))
        found = conjugate_gradients(
            lambda s: -product(s), at.mean, limit=c.cg_limit, rtol=c.cg_rtol
        )
        promise = 0.5 * float(at.mean @ found.x)
        promises = np.append(state.promises, promise)[-2 * c.window :]
        state = state._replace(
            q=moved(state.q, found.x), iteration=state.iteration + 1, promises=promises,
            ledger=ledger.add(products=found.products * c.product_draws),
            arrived=arrived(promises, c.window, self.tol),
        )  # fmt: skip
        return state, _info(state, "newton", at, found), None

    def _ask_fresh_draws(self, state: HfsgviState) -> tuple[HfsgviState, Info, Verdict | None]:
        confirmed, ledger = self.check.confirms(state.q, state.ledger, state.seed)
        without = Verdict.STOPPED if state.arrived else Verdict.BUDGET
        state = state._replace(ledger=ledger)
        return state, _info(state, "check"), Verdict.CONVERGED if confirmed else without


def _info(
    state: HfsgviState, note: str, at: SampledGradient | None = None, found: Solution | None = None
) -> Info:
    return Info(
        iteration=state.iteration,
        oracle_calls=state.ledger.oracle_calls,
        seconds=0.0,
        elbo=at.elbo if at else math.nan,
        elbo_se=at.elbo_se if at else math.nan,
        radius=float(np.linalg.norm(found.x)) if found else math.nan,
        gradient_draws=0,
        judge_draws=0,
        predicted=float(state.promises[-1]) if found else math.nan,
        change=math.nan,
        change_se=math.nan,
        accepted=True,
        note=note,
    )
