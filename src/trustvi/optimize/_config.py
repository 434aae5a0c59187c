"""What a user may set, checked: the paper's Table 1, and the ladder's settings."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace
from numbers import Integral, Real
from typing import Any

from trustvi._errors import InputError
from trustvi.objective import MAX_DRAWS

PAPER_CHUNK = 64
"""Draws that the paper preset evaluates at once: its gradients and differences are made of them."""


@dataclass(frozen=True)
class PaperConfig:
    """The twelve parameters of the paper's Table 1, its minibatches, and what it leaves open.

    The paper gives ranges, no values. Where it is silent the choice is explained on the field.
    """

    eta: float = 0.25
    """Model fitness threshold; the usual acceptance ratio (Nocedal and Wright 2006, 4.1)."""
    gamma: float = 2.0
    """Expansion factor of the region."""
    lam: float = 1e-6
    """Constraint on the radius. Small, so that `eta m' < lambda delta^2` seldom rejects."""
    alpha: float = 1e-5
    """Trade-off between radius and objective value."""
    nu1: float = 0.1
    """Trade-off between both sampling rates."""
    nu2: float = 0.5
    """Accuracy of good stochastic gradients' norms."""
    nu3: float = 0.1
    """Accuracy of good stochastic gradients' directions."""
    zeta0: float = 0.9
    """Probability of good stochastic gradients."""
    zeta1: float = 0.9
    """Probability of accepting a good step."""
    kappa_h: float = math.inf
    """Bound on the Hessians' norm. The algorithm never uses it; the proof needs it finite."""
    delta_minus: float = math.inf
    """Radius up to which some conditions are enforced."""
    delta_max: float = 1e3
    """Greatest radius."""
    delta0: float = 1.0
    """First radius."""
    gradient_draws: int = 256
    """Draws of a gradient minibatch ("Experiments")."""
    product_draws: int = 85
    """Draws of a Hessian-vector product ("Experiments")."""
    judge_draws: int = 128
    """Draws of the first estimate of change ("Experiments")."""
    krylov_limit: int = 30
    """Hessian-vector products an iteration at the most: the paper gives no limit."""
    explicit_hessian: bool = False
    """Form the Hessian by as many products as it has columns, for low dimensions."""

    def __post_init__(self) -> None:
        for name, ok, text in _table_ranges(self):
            if not ok:
                raise InputError(f"{name} = {getattr(self, name)} is out of range: {text}")

    @property
    def tau1(self) -> float:
        """tau_1 = alpha (1 - gamma^-2) - lambda."""
        return self.alpha * (1 - self.gamma**-2) - self.lam

    @property
    def tau2(self) -> float:
        """tau_2 = alpha (gamma^2 - gamma^-2)."""
        return self.alpha * (self.gamma**2 - self.gamma**-2)


def _table_ranges(c: PaperConfig) -> list[tuple[str, bool, str]]:
    chunked, positive = ["gradient_draws", "judge_draws"], ["product_draws", "krylov_limit"]
    rungs = range(PAPER_CHUNK, MAX_DRAWS + 1, PAPER_CHUNK)
    return [
        ("eta", 0 < c.eta <= 0.5, "it must lie in (0, 1/2]"),
        ("gamma", 1 < c.gamma < math.inf, "it must lie in (1, inf)"),
        ("lam", 0 < c.lam < math.inf, "lambda must lie in (0, inf)"),
        (
            "alpha",
            c.gamma > 1 and c.alpha > c.lam / (1 - c.gamma**-2),
            "it must exceed lambda / (1 - gamma^-2)",
        ),
        ("nu1", 0 < c.nu1 < 1 - c.eta, "it must lie in (0, 1 - eta)"),
        ("nu2", 0 < c.nu2 < 1, "it must lie in (0, 1)"),
        ("nu3", 0 < c.nu3 < 1 - c.eta - c.nu1, "it must lie in (0, 1 - eta - nu1)"),
        ("zeta0", 0.5 < c.zeta0 < 1, "it must lie in (1/2, 1)"),
        ("zeta1", 1 < 2 * c.zeta0 * c.zeta1 < 2 * c.zeta0, "it must lie in (1 / (2 zeta0), 1)"),
        ("kappa_h", c.kappa_h >= 0, "it must not be negative"),
        ("delta_minus", c.delta_minus > 0, "it must be positive"),
        ("delta_max", 0 < c.delta_max < math.inf, "it must lie in (0, inf)"),
        ("delta0", 0 < c.delta0 <= c.delta_max, "it must lie in (0, delta_max]"),
        *((name, getattr(c, name) >= 1, "it must be at least 1") for name in positive),
        *(
            (name, getattr(c, name) in rungs, f"it must be a multiple of 64 up to {MAX_DRAWS}")
            for name in chunked
        ),
    ]


@dataclass(frozen=True)
class LadderConfig:
    """Settings of the default preset (`docs/algorithm.md` says what each was measured to do)."""

    eta: float = 0.1
    """Share of the predicted gain that fresh draws must confirm."""
    first_draws: int = 16
    """Draws at the foot of the ladder."""
    growth: int = 2
    """Factor between the ladder's rungs."""
    climb_evaluations: int = 60
    """Single-draw evaluations that the climb may spend."""
    opinions: int = 3
    """Climbs from other points before a fit is said to have converged."""
    inner_calls: float = 3.0
    """Oracle calls that one iteration's ascent on its own draws may spend."""
    radius: float = 2.0
    """First limit on a step, in root-mean-square standard deviations."""

    def __post_init__(self) -> None:
        checks = [
            ("eta", 0 < self.eta <= 0.5, "it must lie in (0, 1/2]"),
            (
                "first_draws",
                self.first_draws in (8, 16, 32, 64, 128, 256),
                "a power of 2, 8 to 256",
            ),
            ("growth", self.growth in (2, 4), "it must be 2 or 4"),
            ("climb_evaluations", self.climb_evaluations >= 0, "it must not be negative"),
            ("opinions", self.opinions >= 0, "it must not be negative"),
            ("inner_calls", self.inner_calls > 0, "it must be positive"),
            ("radius", self.radius > 0, "it must be positive"),
        ]
        for name, ok, text in checks:
            if not ok:
                raise InputError(f"{name} = {getattr(self, name)} is out of range: {text}")


def make_config(defaults: Any, options: dict[str, Any]) -> Any:
    """`defaults` with options by name; an unknown name is an error that lists the known."""
    known = [field.name for field in fields(defaults)]
    for name, value in options.items():
        if name not in known:
            raise InputError(f"unknown option {name!r}; this preset has {', '.join(known)}")
        _refuse_type(name, value, getattr(defaults, name))
    return replace(defaults, **options)


def _refuse_type(name: str, value: Any, default: Any) -> None:
    """A switch for a switch, an integer for an integer, a real number for a real number."""
    if isinstance(default, bool):
        fits, wanted = isinstance(value, bool), "True or False"
    elif isinstance(default, int):
        fits, wanted = isinstance(value, Integral) and not isinstance(value, bool), "an integer"
    else:
        fits, wanted = isinstance(value, Real) and not isinstance(value, bool), "a number"
    if not fits:
        raise InputError(f"{name} must be {wanted}; got {value!r}")
