"""Log probability masses of categories: one vector of parameters for each outcome.

Arrays come with their own event axes: outcomes (lanes, [rows], draws), locations the same,
vectors (lanes, [rows], categories, draws).
"""

from __future__ import annotations

from typing import Any

import jax
import numpy as np

from trustvi.stan.library._dispatch import (
    log,
    log1m_exp,
    log1p_exp,
    std_normal_lcdf_diff,
)
from trustvi.stan.library._namespace import is_traced, namespace
from trustvi.stan.library._requirements import require_ordered, require_simplex
from trustvi.stan.library._terms import Terms

Array = Any

# Stands for an infinite cut-point; finite, so that no derivative is infinite.
BEYOND = 1e200


def _rows(array: Array) -> Array:
    """With one axis of rows between lanes and draws, of size 1 for a scalar."""
    return array if array.ndim == 3 else array[:, None, :]


def _counts(outcomes: Array, categories: int) -> Array:
    """How often each category occurs: (lanes, categories, 1)."""
    counted = [np.bincount(lane, minlength=categories) for lane in outcomes[..., 0] - 1]
    return np.asarray(counted, float)[..., None]


def _picked(values: Array, index: Array) -> Array:
    """values[lane, index[lane, row]], of shape (lanes, rows, draws)."""
    index = index[..., 0]
    if values.shape[0] == 1:
        return values[0][index]
    return values[np.arange(values.shape[0])[:, None], index]


def _add_outcomes(terms: Terms, outcomes: Array, log_mass: Array, theta: Array) -> None:
    """Add log_mass[outcome] over rows: by counts where rows outnumber categories."""
    outcomes, categories = _rows(outcomes), theta.shape[1]
    if is_traced(outcomes) or outcomes.shape[1] <= max(categories, 1):
        terms.add(_picked(log_mass, outcomes - 1).sum(axis=1), theta)
    else:
        counts = _counts(outcomes, categories)
        chosen = namespace(log_mass).where(counts > 0.0, log_mass, 0.0)
        terms.add((counts * chosen).sum(axis=1), theta)


def categorical(terms: Terms, outcomes: Array, theta: Array) -> None:
    """log(theta[outcome])"""
    words = "Number of categories" if outcomes.ndim == 2 else "element of outcome array"
    terms.check_bounds(words, outcomes, 1, theta.shape[1])
    require_simplex(terms, "Probabilities parameter", theta)
    _add_outcomes(terms, outcomes, log(_occurring(theta, _rows(outcomes))), theta)


def _occurring(theta: Array, outcomes: Array) -> Array:
    """`theta`, 1 for outcomes that don't occur: where one is 0, its logarithm has no derivative."""
    if is_traced(outcomes) or not is_traced(theta):
        return theta
    flat = outcomes.reshape(1, -1, 1) if theta.shape[0] == 1 else outcomes
    occurs = _counts(flat, theta.shape[1]) > 0.0
    return theta if occurs.all() else namespace(theta).where(occurs, theta, 1.0)


def categorical_logit(terms: Terms, outcomes: Array, beta: Array) -> None:
    """beta[outcome] - log_sum_exp(beta)"""
    what = "categorical outcome out of support"
    terms.check_bounds(what, outcomes, 1, beta.shape[1])
    terms.check("log odds parameter", beta, "finite", natural=True)
    _add_outcomes(terms, outcomes, beta, beta)
    highest = namespace(beta).max(beta, axis=1)
    spread = log(namespace(beta).exp(beta - _held(highest)[:, None]).sum(axis=1))
    terms.add(-float(_rows(outcomes).shape[1]) * (spread + _held(highest)), beta)


def _held(array: Array) -> Array:
    """`array` without derivative, for a shift that cancels."""
    return jax.lax.stop_gradient(array) if is_traced(array) else array


def _between_cuts(outcomes: Array, location: Array, cuts: Array) -> tuple[Array, Array]:
    """location - (the cut-point below), location - (the cut-point above), (lanes, rows, draws)."""
    ends = (*cuts.shape[:-2], 1, cuts.shape[-1])
    xp = namespace(cuts)
    padded = xp.concatenate([np.full(ends, -BEYOND), cuts, np.full(ends, BEYOND)], axis=-2)
    if padded.ndim == 3:
        below, above = (_picked(padded, outcomes - shift) for shift in (1, 0))
    else:
        lanes, rows = (np.arange(n) for n in padded.shape[:2])
        index = (lanes[:, None], rows[None, :])
        below, above = (padded[(*index, outcomes[..., 0] - shift)] for shift in (1, 0))
    return location - below, location - above


def _check_cuts(terms: Terms, outcomes: Array, location: Array, cuts: Array, words: str) -> None:
    terms.check_bounds("Random variable", outcomes, 1, cuts.shape[-2] + 1)
    terms.check("Location parameter", location, "finite", natural=True)
    require_ordered(terms, "Cut-points", cuts)
    for which, position in ((f"Final {words}", -1), (f"First {words}", 0)):
        terms.check(which, cuts[..., position, :], "finite", natural=True)


def ordered_logistic(terms: Terms, outcomes: Array, location: Array, cuts: Array) -> None:
    """log(inv_logit(a) - inv_logit(b)) = log(1 - exp(b - a)) - log1p_exp(-a) - log1p_exp(b)

    with a = location - cuts[outcome - 1] and b = location - cuts[outcome].
    """
    _check_cuts(terms, outcomes, location, cuts, "cut-point")
    outcomes, location = _rows(outcomes), _rows(location)
    a, b = _between_cuts(outcomes, location, cuts)
    terms.add((-log1p_exp(-a) - log1p_exp(b)).sum(axis=1), location, cuts)
    if cuts.ndim > 3 or is_traced(outcomes):
        terms.add(log1m_exp(b - a).sum(axis=1), location, cuts)
        return
    inner = _counts(outcomes, cuts.shape[1] + 1)[:, 1:-1]
    gaps = log1m_exp(cuts[:, :-1] - cuts[:, 1:])
    terms.add(namespace(gaps).where(inner > 0.0, inner * gaps, 0.0).sum(axis=1), location, cuts)


def ordered_probit(terms: Terms, outcomes: Array, location: Array, cuts: Array) -> None:
    """log(Phi(location - cuts[outcome - 1]) - Phi(location - cuts[outcome]))"""
    _check_cuts(terms, outcomes, location, cuts, "cut point")
    outcomes = _rows(outcomes)
    a, b = _between_cuts(outcomes, _rows(location), cuts)
    mass = std_normal_lcdf_diff(a, b)
    terms.keep(mass.sum(axis=1))
