"""The ladder on a wider family, from where it ended on the mean-field one."""

from __future__ import annotations

from typing import Any

import numpy as np

from trustvi.diagnostics import Verdict
from trustvi.families import FullRank, MeanField, choose_family
from trustvi.models import Model
from trustvi.optimize._config import LadderConfig
from trustvi.optimize._curvature import DenseCurvature, DiagonalCurvature
from trustvi.optimize._ladder import LadderState, LadderTrustVI
from trustvi.optimize._method import Info

# Ends of the first leg from which the second goes on: what noise or curvature hides from one
# family it need not hide from the other.
SETTLED = (Verdict.CONVERGED, Verdict.STALLED, Verdict.NOISE_FLOOR)
# Draws with which the second leg begins at the most.
MOST_FIRST_DRAWS = 64


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
        return as_member(state, self.family)._replace(
            radius=self.config.radius, draws=min(state.draws, MOST_FIRST_DRAWS),
            plain_until=0, rejections=0, waits=0, lost=0,
        )  # fmt: skip


def as_member(state: Any, family: str) -> Any:
    """A state whose q is of the `family`, whichever leg it is on: the same distribution."""
    if family == "meanfield" or not isinstance(state.q, MeanField):
        return state
    q, curvature = choose_family(family)(state.q), state.curvature
    if isinstance(q, FullRank) and isinstance(curvature, DiagonalCurvature):
        curvature = DenseCurvature(np.diag(curvature.matrix))
    return state._replace(q=q, curvature=curvature)
