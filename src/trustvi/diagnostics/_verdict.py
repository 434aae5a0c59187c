"""How a fit ended, in one sentence each."""

from __future__ import annotations

import enum


class Verdict(enum.Enum):
    """The ways a fit can end. Only CONVERGED is good."""

    CONVERGED = "converged"
    BUDGET = "budget spent"
    STOPPED = "stopped"
    STALLED = "stalled"
    UNBOUNDED = "unbounded"
    NO_START = "could not start"
    NOISE_FLOOR = "noise floor"
    OUTSIDE_SUPPORT = "outside support"
    NO_STEP_SIZE = "no step size"
    OVERFLOW = "overflow"
    INTERRUPTED = "interrupted"

    @property
    def sentence(self) -> str:
        """What happened, and what to do about it."""
        return _SENTENCES[self]

    @property
    def good(self) -> bool:
        """Whether the result is what was asked for."""
        return self is Verdict.CONVERGED


_SENTENCES = {
    Verdict.CONVERGED: "The remaining gain in ELBO is below the tolerance, checked on fresh draws.",
    Verdict.BUDGET: "The budget was spent before the remaining gain was below the tolerance; "
    "raise max_oracle_calls, and the method's own limit of iterations if it has one.",
    Verdict.STOPPED: "The method's own rule ended it, but fresh draws don't confirm that the "
    "remaining gain in ELBO is below the tolerance.",
    Verdict.STALLED: "Step after step was rejected until the trust region vanished; the log "
    "density may be discontinuous or its gradient wrong.",
    Verdict.UNBOUNDED: "A scale of the approximation ran away: the posterior seems to be improper "
    "or its density unbounded, so that no best approximation exists.",
    Verdict.NO_START: "No starting point with a finite log density and gradient was found; give "
    "init.",
    Verdict.NOISE_FLOOR: "At the largest sample size the Monte-Carlo error still hides whether "
    "anything is left to gain; the log density may have heavy tails under the approximation, or "
    "values too large for double precision.",
    Verdict.OUTSIDE_SUPPORT: "The approximation puts mass where the log density is not finite, "
    "so its ELBO is minus infinity; check the constraints of the parameters.",
    Verdict.NO_STEP_SIZE: "No step size on trial improved the ELBO over that of the start.",
    Verdict.OVERFLOW: "A step led to values that overflow, and the method has no way back.",
    Verdict.INTERRUPTED: "The fit was interrupted; this is its best iterate so far.",
}
