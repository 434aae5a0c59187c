"""Bounds, offset and multiplier: transforms of single reals.

Reference manual, chapter "Constraint transforms": with lower bound a and upper bound b,
x = a + exp(u), x = b - exp(u), x = a + (b - a)/(1 + exp(-u)); x = offset + multiplier u.
A bound that is infinite is no bound. All arrays have axes (lanes, *event, draws).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import special

from trustvi.stan._transforms._smooth import log_logistic_density, logistic
from trustvi.stan.library._namespace import is_traced, namespace

Array = Any
Mask = Any  # True, False, or an array where it isn't the same everywhere
Pair = tuple[Array, Array]  # the value and the logarithm of its derivative


def align(argument: Array, rank: int) -> Array:
    """`argument` with event axes of size 1 in front, up to `rank` of them."""
    missing = rank + 2 - argument.ndim
    lanes, *rest = argument.shape
    return argument.reshape(lanes, *(1,) * missing, *rest)


def _mask(bound: Array, infinity: float) -> Mask:
    """Where a bound is infinite: True or False when the answer is known and uniform."""
    mask = bound == infinity
    if is_traced(mask):
        return mask
    if mask.any() and not mask.all():
        return mask
    return bool(mask.any())


def _choose(
    mask: Mask, free: Array, if_true: Callable[[Array], Pair], if_false: Callable[[Array], Pair]
) -> Pair:
    """Transform `free` by one function where the mask is set and by the other elsewhere.

    A side nowhere needed isn't computed; where both are, each sees 0 in place of what belongs to
    the other, so that no overflow there spoils a derivative.
    """
    if isinstance(mask, bool):
        return if_true(free) if mask else if_false(free)
    xp = namespace(mask, free)
    value, slope = if_true(xp.where(mask, free, 0.0))
    other, other_slope = if_false(xp.where(mask, 0.0, free))
    return xp.where(mask, value, other), xp.where(mask, slope, other_slope)


def _finite(bound: Array, mask: Mask, instead: float = 0.0) -> Array:
    """`bound` with a number where the mask is set, so that no infinity meets a derivative."""
    return bound if isinstance(mask, bool) else namespace(bound, mask).where(mask, instead, bound)


def identity(free: Array) -> Pair:
    return free, np.zeros((1,) * free.ndim)


def lower(free: Array, bound: Array) -> Pair:
    """x = bound + exp(u), slope exp(u)."""
    mask = _mask(bound, -np.inf)
    finite = _finite(bound, mask)
    return _choose(mask, free, identity, lambda u: (namespace(u).exp(u) + finite, u))


def upper(free: Array, bound: Array) -> Pair:
    """x = bound - exp(u), slope exp(u) in absolute value."""
    mask = _mask(bound, np.inf)
    finite = _finite(bound, mask)
    return _choose(mask, free, identity, lambda u: (finite - namespace(u).exp(u), u))


def lower_upper(free: Array, low: Array, high: Array) -> Pair:
    """x = low + (high - low) logistic(u), with an infinite bound left out."""
    no_low, no_high = _mask(low, -np.inf), _mask(high, np.inf)
    finite_low = _finite(low, no_low)
    width = _finite(_finite(high, no_high) - finite_low, _either(no_low, no_high), 1.0)

    def between(u: Array) -> Pair:
        slope = namespace(width).log(width) + log_logistic_density(u)
        return finite_low + width * logistic(u), slope

    def above(u: Array) -> Pair:
        return namespace(u).exp(u) + finite_low, u

    def bounded_below(u: Array) -> Pair:
        return _choose(no_high, u, above, between)

    return _choose(no_low, free, lambda u: upper(u, high), bounded_below)


def _either(first: Mask, second: Mask) -> Mask:
    if isinstance(first, bool) and isinstance(second, bool):
        return first or second
    return first | second


def offset_multiplier(free: Array, offset: Array, multiplier: Array) -> Pair:
    """x = offset + multiplier u, slope multiplier."""
    return offset + multiplier * free, namespace(multiplier).log(multiplier)


# --------------------------------------------------------------------------- inverses


def free_lower(value: Array, bound: Array) -> Array:
    return np.where(bound == -np.inf, value, _log(value - bound))


def free_upper(value: Array, bound: Array) -> Array:
    return np.where(bound == np.inf, value, _log(bound - value))


def free_lower_upper(value: Array, low: Array, high: Array) -> Array:
    with np.errstate(invalid="ignore"):
        inside = special.logit((value - low) / (high - low))
    one_sided = np.where(high == np.inf, free_lower(value, low), inside)
    return np.where(low == -np.inf, free_upper(value, high), one_sided)


def free_offset_multiplier(value: Array, offset: Array, multiplier: Array) -> Array:
    return (value - offset) / multiplier


def _log(x: Array) -> Array:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.log(x)
