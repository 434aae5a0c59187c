"""What densities require of known vectors, in Stan's words."""

from __future__ import annotations

from typing import Any

import numpy as np

from trustvi.stan.library._namespace import is_traced
from trustvi.stan.library._terms import Terms

TOLERANCE = 1e-8


def require_simplex(terms: Terms, what: str, value: Any) -> None:
    """Demand that known vectors along the last event axis are nonnegative and sum to 1."""
    if is_traced(value):
        return
    invalid = f"{what} is not a valid simplex."
    totals = value.sum(axis=-2)
    off = ~(np.abs(1.0 - totals) <= TOLERANCE)
    first = totals[off].flat[0] if np.any(off) else 1.0
    terms.require(~off, f"{invalid} sum({what}) = {first:.10g}, but should be 1")
    terms.require(
        value >= 0.0,
        lambda where: (
            f"{invalid} {what}[{where[-2] + 1}] = {value[where]:g}, "
            "but should be greater than or equal to 0"
        ),
    )


def require_ordered(terms: Terms, what: str, value: Any) -> None:
    """Demand that known vectors along the last event axis increase."""
    if is_traced(value):
        return
    before, after = value[..., :-1, :], value[..., 1:, :]
    terms.require(
        after > before,
        lambda where: (
            f"{what} is not a valid ordered vector. The element at {where[-2] + 2} is "
            f"{after[where]:g}, but should be greater than the previous element, {before[where]:g}"
        ),
    )
