"""The ELBO of a finished fit on fresh draws, with its Monte-Carlo standard error."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import jax
import numpy as np

from trustvi.objective import Control, Objective, child_key
from trustvi.optimize._curvature import expected_square

FIRST_DRAWS, MOST_DRAWS = 64, 1024


class FinalElbo(NamedTuple):
    """ELBO and error, draws without a finite density, and what it cost in draws."""

    value: float
    error: float
    lost: int
    draws: int


def estimate_elbo(objective: Objective, state: Any, key: jax.Array, tol: float) -> FinalElbo:
    """E_q[log p] + H(q) from fresh draws, four times as many until the error is below `tol`.

    The curvature that the state learned, if any, serves as a control variate; it stems from other
    draws. ELBO is minus infinity if a draw has density zero.
    """
    q = state.q
    control, expected = _control(objective, state)
    draws, spent = FIRST_DRAWS, 0
    while True:
        sample = objective.values(q, control, child_key(key, draws), draws)
        spent += draws
        lost = int(np.sum(~np.isfinite(sample.values)))
        if lost:
            value = -math.inf if np.any(sample.values == -math.inf) else math.nan
            return FinalElbo(value, math.inf, lost, spent)
        plain = sample.values + q.entropy()
        with np.errstate(all="ignore"):
            controlled = plain - sample.controls + expected
        better = np.all(np.isfinite(controlled)) and controlled.std() < plain.std()
        values = controlled if better else plain
        groups = values.reshape(-1, objective.kind.replicates(objective.chunk)).mean(axis=0)
        error = float(groups.std(ddof=1)) / math.sqrt(groups.size)
        if error < tol or draws >= MOST_DRAWS:
            return FinalElbo(float(values.mean()), error, 0, spent)
        draws *= 4


def _control(objective: Objective, state: Any) -> tuple[Control, float]:
    """The quadratic that the state has learned, or 0, with its expectation."""
    q = state.q
    if not hasattr(state, "curvature"):
        return Control.none(q.frame, objective.dim if objective.dense else 0), 0.0
    expected = 0.5 * expected_square(state.curvature, q, q)
    return state.curvature.control(q, np.zeros_like(q.loc)), expected
