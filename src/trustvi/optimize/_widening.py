"""The ladder on a wider family, from where it ended on the mean-field one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from jaxtyping import Float

from trustvi.diagnostics import Verdict
from trustvi.families import FullRank, LowRank, MeanField, choose_family
from trustvi.models import Model
from trustvi.objective import ResponseProducts, make_key
from trustvi.optimize._config import LadderConfig
from trustvi.optimize._curvature import DenseCurvature, DiagonalCurvature
from trustvi.optimize._ladder import LadderTrustVI
from trustvi.optimize._method import Info
from trustvi.optimize._rungs import LadderState

# Ends of the first leg from which the second goes on: what noise or curvature hides from one
# family it need not hide from the other.
SETTLED = (Verdict.CONVERGED, Verdict.STALLED, Verdict.NOISE_FLOOR)
# Draws with which the second leg begins at the most.
MOST_FIRST_DRAWS = 64

# Eigenvalues of -S from which a first V is made, at the least and the most: a tenfold growth of a
# scale is asked for again, and a column of V must not vanish.
SOFT = (1e-2, 0.95)
# Directions multiplied at once, Krylov blocks besides those that the rank takes, and the draws.
KRYLOV_BLOCK, KRYLOV_STEPS, KRYLOV_DRAWS = 8, 6, 32


class WidenedTrustVI:
    """Two legs of one climb: the mean-field optimum, which is cheap to find and knows the averaged
    Hessian, then the family's own. A state's q says which leg it is on."""

    def __init__(self, model: Model, config: LadderConfig, *, tol: float, family: str) -> None:
        self.config, self.dim = config, model.param_unc_num()
        self.family = family
        template = choose_family(family)(MeanField(np.zeros(self.dim), np.zeros(self.dim)))
        self.first = LadderTrustVI(model, config, tol=tol)
        self.second = LadderTrustVI(model, config, tol=tol, q=template)
        self.point, self.objective = self.first.point, self.second.objective
        self.parts = (*self.first.parts, self.objective)
        self.products = None
        if isinstance(template, LowRank) and not self.objective.dense:
            nowhere = MeanField(np.zeros(self.dim), np.zeros(self.dim))
            self.products = ResponseProducts(model, nowhere)
            self.parts = (*self.parts, self.products)

    def init(self, start: Any, seed: int) -> tuple[LadderState, Info, Verdict | None]:
        """The start of the first leg."""
        return self.first.init(start, seed)

    def step(self, state: LadderState) -> tuple[LadderState, Info, Verdict | None]:
        """One iteration of the ladder, or the change of legs at the first one's end."""
        if not isinstance(state.q, MeanField):
            return self.second.step(state)
        state, info, verdict = self.first.step(state)
        if verdict not in SETTLED:
            return state, info, verdict
        return self._widened(state), info._replace(note=f"{info.note}, widened"), None

    def _widened(self, state: LadderState) -> LadderState:
        wide = as_member(state, self.family)
        if isinstance(wide.q, LowRank):
            factor, spent = self._soft(state, wide.q.factor.shape[1])
            ledger = state.ledger.add(products=spent)
            wide = wide._replace(q=wide.q._replace(factor=factor), ledger=ledger)
        return wide._replace(
            radius=self.config.radius, draws=min(state.draws, MOST_FIRST_DRAWS),
            pairs=np.zeros((2, 0, 0)), hope=0.0, plain_until=0, rejections=0, waits=0, lost=0,
            restarts=0,
        )  # fmt: skip

    def _soft(self, state: LadderState, rank: int) -> tuple[np.ndarray, int]:
        """A first V: where the density bends least it reaches further than mean field has it.

        With eigenvectors U of -S and their eigenvalues, V = U sqrt(1 / values - 1) makes -S^-1 in
        their span. V = 0, where mean field stands, is a saddle point. Also draws of products spent.
        """
        assert isinstance(state.q, MeanField)
        if self.products is None:
            assert isinstance(state.curvature, DenseCurvature)
            values, vectors = np.linalg.eigh(-state.curvature.scaled(state.q))
            spent = 0
        else:
            key = make_key(state.seed, state.iteration, 2)
            apply = self.products.at(state.q, key, KRYLOV_DRAWS)
            steps = KRYLOV_STEPS + 2 * rank // KRYLOV_BLOCK
            values, vectors = lowest(lambda x: -_at_location(apply, x), self.dim, steps, state.seed)
            spent = vectors.shape[1] * KRYLOV_DRAWS
        kept = np.clip(values[:rank], *SOFT)
        factor = np.zeros((self.dim, rank))
        factor[:, : kept.size] = vectors[:, :rank] * np.sqrt(1 / kept - 1)
        return factor, spent


def _at_location(apply: Callable[[np.ndarray], np.ndarray], x: np.ndarray) -> np.ndarray:
    """The location's block of a Hessian in (u, w), applied."""
    return apply(np.concatenate([x, np.zeros_like(x)]))[: len(x)]


def lowest(
    apply: Callable[[np.ndarray], np.ndarray], dim: int, steps: int, seed: int
) -> tuple[Float[np.ndarray, " k"], Float[np.ndarray, "dim k"]]:
    """Ritz values and vectors, upwards, of a block Krylov space (Golub and Underwood 1977)."""
    rng = np.random.default_rng(seed)
    block = min(KRYLOV_BLOCK, dim)
    basis = np.linalg.qr(rng.normal(size=(dim, block)))[0]
    images = apply(basis)
    while basis.shape[1] < min(steps * block, dim - block):
        new = images[:, -block:]
        for _ in range(2):
            new = new - basis @ (basis.T @ new)
        new = np.linalg.qr(new)[0]
        basis, images = np.hstack([basis, new]), np.hstack([images, apply(new)])
    inner = basis.T @ images
    values, turns = np.linalg.eigh(0.5 * (inner + inner.T))
    return values, basis @ turns


def as_member(state: Any, family: str) -> Any:
    """A state whose q is of the `family`, whichever leg it is on: the same distribution."""
    if family == "meanfield" or not isinstance(state.q, MeanField):
        return state
    q, curvature = choose_family(family)(state.q), state.curvature
    if isinstance(q, FullRank) and isinstance(curvature, DiagonalCurvature):
        curvature = DenseCurvature(np.diag(curvature.matrix))
    return state._replace(q=q, curvature=curvature)
