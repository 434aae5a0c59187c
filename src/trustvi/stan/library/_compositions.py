"""Distributions of probability vectors and of counts by category.

Vectors are (lanes, K, draws), arrays of vectors (lanes, n, K, draws).
"""

from __future__ import annotations

from typing import Any

import jax.scipy.special
import numpy as np
import scipy.special

from trustvi.stan.library._contract import contract
from trustvi.stan.library._matrix_checks import check_match
from trustvi.stan.library._multi_normal import VECTORS
from trustvi.stan.library._namespace import is_traced, namespace, special
from trustvi.stan.library._requirements import require_simplex
from trustvi.stan.library._signatures import expanded, spelled
from trustvi.stan.library._table import Convention, Row
from trustvi.stan.library._terms import Terms

Array = Any


def dirichlet(terms: Terms, theta: Array, alpha: Array) -> None:
    """lgamma(sum alpha) - sum lgamma(alpha_k) + sum (alpha_k - 1) log(theta_k)"""
    theta, alpha = (each if each.ndim == 4 else each[:, None] for each in (theta, alpha))
    check_match(terms, "probabilities", theta.shape[2], "prior sample sizes", alpha.shape[2])
    number = 0 if 0 in (theta.shape[1], alpha.shape[1]) else max(theta.shape[1], alpha.shape[1])
    terms.check("prior sample sizes", alpha, "positive")
    require_simplex(terms, "probabilities", theta)
    if number == 0 or theta.shape[2] == 0:
        return
    sp = special(alpha)
    of_alpha = sp.lgamma_positive(alpha.sum(axis=2)) - sp.lgamma_positive(alpha).sum(axis=2)
    terms.add(of_alpha.sum(axis=1) * (number / alpha.shape[1]), alpha)
    terms.add(_weighted_logs(theta, alpha), theta, alpha)


def _weighted_logs(theta: Array, alpha: Array) -> Array:
    """sum (alpha_k - 1) log(theta_k), first over what has a common alpha or a common theta."""
    weights = alpha - 1.0
    if not is_traced(weights):
        flat = weights == 0  # as in rep_vector(1, K): then theta doesn't matter, not even zeros
        if np.all(flat):
            return np.zeros((1, 1))
        theta = namespace(theta).where(flat, 1.0, theta)
    with np.errstate(divide="ignore"):
        logs = namespace(theta).log(theta)
    if weights.shape[1] == 1:
        logs = logs.sum(axis=1, keepdims=True)
    elif logs.shape[1] == 1:
        weights = weights.sum(axis=1, keepdims=True)
    return contract("nk,nk->", weights, logs)


def _log_coefficient(n: Array) -> Array:
    """log of the multinomial coefficient of known counts."""
    return scipy.special.gammaln(n.sum(axis=1) + 1.0) - scipy.special.gammaln(n + 1.0).sum(axis=1)


def dirichlet_multinomial(terms: Terms, n: Array, alpha: Array) -> None:
    """The log coefficient of n, and with B the log rising factorial of the gamma function:

    sum B(alpha_k, n_k) - B(sum alpha, sum n). Of the coefficient, Stan drops the factor
    sum n / prod n_k, over n_k that are not zero.
    """
    check_match(
        terms,
        "Size of number of trials variable",
        n.shape[1],
        "rows of prior size parameter",
        alpha.shape[1],
    )
    terms.check("prior size parameter", alpha, "positive finite")
    terms.check("counts", n, "nonnegative")
    counted = np.log(np.maximum(n, 1))
    factor = np.log(np.maximum(n.sum(axis=1), 1)) - counted.sum(axis=1)
    terms.add(factor)
    terms.add(_log_coefficient(n) - factor, alpha)
    rise = special(alpha).lgamma_rise
    counts = n.astype(float)
    terms.add(rise(alpha, counts).sum(axis=1), alpha)
    terms.add(-rise(alpha.sum(axis=1), counts.sum(axis=1)), alpha)


def multinomial(terms: Terms, n: Array, theta: Array) -> None:
    """The log coefficient of n, and sum n_k log(theta_k), where 0 log(0) = 0"""
    check_match(
        terms,
        "Size of number of trials variable",
        n.shape[1],
        "rows of probabilities parameter",
        theta.shape[1],
    )
    terms.check("Number of trials variable", n, "nonnegative")
    require_simplex(terms, "Probabilities parameter", theta)
    terms.add(_log_coefficient(n))
    terms.event = (n.shape[1],)
    terms.add_logs(n.astype(float), theta, theta)
    terms.event = ()


def multinomial_logit(terms: Terms, n: Array, gamma: Array) -> None:
    """The log coefficient of n, and sum n_k log(softmax(gamma)_k)"""
    check_match(
        terms,
        "Size of number of trials variable",
        n.shape[1],
        "rows of log-probabilities parameter",
        gamma.shape[1],
    )
    terms.check("Number of trials variable", n, "nonnegative")
    terms.check("log-probabilities parameter", gamma, "finite", natural=True)
    terms.add(_log_coefficient(n))
    sums = jax.scipy.special if is_traced(gamma) else scipy.special
    logs = gamma - sums.logsumexp(gamma, axis=1, keepdims=True)
    terms.event = (n.shape[1],)
    terms.add_product((n.astype(float), logs), gamma)
    terms.event = ()


_COUNTS = spelled("(array[] int, vector) => real")

ROWS = (
    Row(
        "dirichlet_lpdf",
        expanded("({y}, {alpha}) => real", y=VECTORS, alpha=VECTORS),
        Convention.MULTIVARIATE,
        dirichlet,
    ),
    Row("dirichlet_multinomial_lpmf", _COUNTS, Convention.MULTIVARIATE, dirichlet_multinomial),
    Row("multinomial_lpmf", _COUNTS, Convention.MULTIVARIATE, multinomial),
    Row("multinomial_logit_lpmf", _COUNTS, Convention.MULTIVARIATE, multinomial_logit),
)
