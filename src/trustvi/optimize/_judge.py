"""The change in ELBO between two approximations, by matched pairs on fresh draws."""

from __future__ import annotations

import math
from typing import NamedTuple

import jax
import numpy as np
from jaxtyping import Float

from trustvi.families import Family
from trustvi.objective import Objective
from trustvi.optimize._curvature import Curvature, expected_growth

# What one draw may move a mean by, in nats, before it is looked at: half of the usual tolerance.
NEGLIGIBLE = 0.025


class Change(NamedTuple):
    """Mean change and its standard error, which is that of independent replicates."""

    mean: float
    error: float
    draws: int


def paired_change(
    objective: Objective,
    before: Family,
    after: Family,
    curvature: Curvature,
    slope: Float[np.ndarray, " dim"],
    key: jax.Array,
    draws: int,
) -> Change:
    """E[log p(z') - log p(z)] + change in entropy, with z' and z from the same base draws.

    The quadratic c(x) = slope.x + x.S.x / 2 around `before`, whose expected change is known, is
    subtracted draw by draw if that narrows the sample; it was learned from other draws, so the
    estimate stays unbiased but for that choice. A draw whose density is finite at neither end
    counts for nothing; one that is lost on the way rejects the step.
    """
    control = curvature.control(before, slope)
    old = objective.values(before, control, key, draws)
    new = objective.values(after, control, key, draws)
    with np.errstate(all="ignore"):
        u = after.seen_from(before).mean
        grown = expected_growth(curvature, before, after)
        expected = slope @ u + 0.5 * (u @ curvature.apply(before, u) + grown)
        entropy = after.growth(before)
        plain = new.values - old.values + entropy
        controlled = plain - (new.controls - old.controls) + float(expected)
    seen = np.isfinite(old.values)
    if not np.all(np.isfinite(new.values[seen])) or not seen.any():
        return Change(-math.inf, math.inf, draws)
    plain = np.where(seen, plain, entropy)
    if np.all(np.isfinite(controlled)) and controlled.std() < plain.std():
        plain = controlled
    with np.errstate(over="ignore"):
        groups = plain.reshape(-1, objective.kind.replicates(objective.chunk)).mean(axis=0)
        error = float(groups.std(ddof=1)) / math.sqrt(groups.size)
    return Change(float(plain.mean()), _honest(plain, error), draws)


def _honest(values: Float[np.ndarray, " draws"], error: float) -> float:
    """The replicates' error, unless one draw carries most of the sample's variance.

    A variance that one draw dominates says nothing about the draws not seen; the error is then
    infinite, so that no heavy tail is taken for certainty. Half is far beyond what draws of a
    distribution with four moments show from 32 on. A draw that moves the mean by next to nothing
    is let pass.
    """
    square = (values - values.mean()) ** 2
    dominated = values.size >= 32 and square.max() > 0.5 * square.sum() > 0
    return math.inf if dominated and math.sqrt(square.max()) > NEGLIGIBLE * values.size else error
