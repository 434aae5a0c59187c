"""Whether fits from several starts found the same approximation."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from jaxtyping import Float

# Standard errors by which two noisy ELBOs of the same optimum may differ.
ERRORS = 3.0
# Standard deviations by which means may differ and still say the same of a parameter.
SAME_MEANS = 0.5


class Outcome(NamedTuple):
    """How one start ended."""

    seed: int
    verdict: str
    elbo: float
    elbo_mcse: float
    oracle_calls: float
    loc: Float[np.ndarray, " dim"]
    scale: Float[np.ndarray, " dim"]


class Agreement(NamedTuple):
    """Several starts against the best of them.

    `elbo_spread` is the range of the finite ELBOs in nats; `mean_spread` how far the means of
    starts that reach the best ELBO are from the best's, in its standard deviations, at the most.
    """

    starts: int
    reaching: int
    elbo_spread: float
    mean_spread: float

    @property
    def good(self) -> bool:
        """Whether all starts say the same."""
        return self.reaching == self.starts and self.mean_spread < SAME_MEANS

    @property
    def sentence(self) -> str:
        spread = f"ELBO within {self.elbo_spread:.2g} nats"
        means = f"means within {self.mean_spread:.2g} sd"
        if self.good:
            return f"All {self.starts} starts agree: {spread}, {means}."
        if self.reaching == self.starts:
            return (
                f"All {self.starts} starts reach the same ELBO with different means (up to "
                f"{self.mean_spread:.2g} sd apart): several approximations are equally good, as "
                "where labels can be exchanged."
            )
        return (
            f"{self.reaching} of {self.starts} starts reach the best ELBO ({means}); ELBOs range "
            f"over {self.elbo_spread:.3g} nats: the posterior may have several modes."
        )


def near_best(outcomes: Sequence[Outcome], tol: float) -> list[int]:
    """Positions of the outcomes whose ELBO is the best but for noise and what `tol` leaves."""
    finite = [i for i, each in enumerate(outcomes) if math.isfinite(each.elbo)]
    if not finite:
        return []
    top = max((outcomes[i] for i in finite), key=lambda each: each.elbo)

    def margin(each: Outcome) -> float:
        return 2 * tol + ERRORS * math.hypot(each.elbo_mcse, top.elbo_mcse)

    return [i for i in finite if outcomes[i].elbo >= top.elbo - margin(outcomes[i])]


def best_of(outcomes: Sequence[Outcome], tol: float, good: Sequence[bool]) -> int:
    """The position of the best: among the best ELBOs one with a `good` verdict, if there is."""
    near = near_best(outcomes, tol)
    return max(near, key=lambda i: (good[i], outcomes[i].elbo)) if near else 0


def agreement(outcomes: Sequence[Outcome], best: Outcome, tol: float) -> Agreement:
    """Compare all outcomes with the `best`."""
    near = near_best(outcomes, tol)
    elbos = [each.elbo for each in outcomes if math.isfinite(each.elbo)]
    gaps = [np.max(np.abs(outcomes[i].loc - best.loc) / best.scale, initial=0.0) for i in near]
    return Agreement(
        starts=len(outcomes),
        reaching=len(near),
        elbo_spread=max(elbos) - min(elbos) if elbos else math.nan,
        mean_spread=float(max(gaps, default=math.nan)),
    )
