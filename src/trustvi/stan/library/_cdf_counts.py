"""Distribution functions of counts: log F, log(1 - F), sometimes F.

Counts are known in practically every program, so incomplete gamma and beta functions are
differentiated in the other parameters only.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from trustvi.stan._diagnostics import StanRuntimeError
from trustvi.stan.library._dispatch import (
    gamma_q,
    inc_beta_of_pair,
    lbeta,
    lchoose,
    log,
    log1m,
    log_gamma_p,
    log_gamma_q,
    log_inc_beta,
    maximum,
    minimum,
    where,
)
from trustvi.stan.library._namespace import is_traced, namespace

Array = Any
Function = Callable[..., Array]


def _stepwise(function: Function, before: float, after: float, last: Function) -> Function:
    """`function` of counts from 0 to below `last(parameters)`, constants before and after."""

    def extended(n: Array, *parameters: Array) -> Array:
        started, ended = n >= 0.0, n >= last(*parameters)
        inside = function(where(started & ~ended, n, 0.0), *parameters)
        return where(ended, after, where(started, inside, before))

    extended.__doc__ = function.__doc__
    return extended


def _never(*parameters: Array) -> float:
    return math.inf


def _one(*parameters: Array) -> float:
    return 1.0


def _size(size: Array, *parameters: Array) -> Array:
    return where(size > 0.0, size, 0.0)


def _of_size(function: Function) -> Function:
    """For a size of 0, where every count ends, `function` sees 1."""
    return lambda n, size, *rest: function(n, where(size > n, size, n + 1.0), *rest)


bernoulli_lcdf = _stepwise(lambda n, theta: log1m(theta), -math.inf, 0.0, _one)
bernoulli_lccdf = _stepwise(lambda n, theta: log(theta), 0.0, -math.inf, _one)
bernoulli_cdf = _stepwise(lambda n, theta: 1.0 - theta, 0.0, 1.0, _one)

binomial_lcdf = _stepwise(
    _of_size(lambda n, size, theta: log_inc_beta(size - n, n + 1.0, 1.0 - theta, theta)),
    *(-math.inf, 0.0, _size),
)
binomial_lccdf = _stepwise(
    _of_size(lambda n, size, theta: log_inc_beta(n + 1.0, size - n, theta, 1.0 - theta)),
    *(0.0, -math.inf, _size),
)
binomial_cdf = _stepwise(
    _of_size(lambda n, size, theta: inc_beta_of_pair(size - n, n + 1.0, 1.0 - theta, theta)),
    *(0.0, 1.0, _size),
)


def _log_sum_of_masses(first: Array, last: Array, size: Array, a: Array, b: Array) -> Array:
    """log of the beta-binomial masses from `first` to `last`, which are known."""
    if is_traced(first, last):
        raise StanRuntimeError("beta_binomial distribution functions need counts known as data")
    steps = np.arange(int(np.max(last - first, initial=0.0)) + 1, dtype=float)
    k = first[..., None] + steps
    inside = k <= last[..., None]
    k, size = np.where(inside, k, first[..., None]), size[..., None]
    a, b = a[..., None], b[..., None]
    terms = lchoose(size, k) + lbeta(k + a, size - k + b) - lbeta(a, b)
    xp = namespace(terms)
    terms = xp.where(inside, terms, -math.inf)
    highest = xp.max(terms, axis=-1)
    return highest + xp.log(xp.sum(xp.exp(terms - highest[..., None]), axis=-1))


beta_binomial_lcdf = _stepwise(
    _of_size(lambda n, size, a, b: _log_sum_of_masses(np.zeros_like(n), n, size, a, b)),
    *(-math.inf, 0.0, _size),
)
beta_binomial_lccdf = _stepwise(
    _of_size(lambda n, size, a, b: _log_sum_of_masses(n + 1.0, size, size, a, b)),
    *(0.0, -math.inf, _size),
)


def _shares(mean: Array, phi: Array) -> tuple[Array, Array]:
    """phi / (mean + phi) and its complement."""
    total = mean + phi
    return phi / total, mean / total


neg_binomial_lcdf = _stepwise(
    lambda n, alpha, beta: log_inc_beta(alpha, n + 1.0, *_shares(1.0, beta)),
    *(-math.inf, 0.0, _never),
)
neg_binomial_lccdf = _stepwise(
    lambda n, alpha, beta: log_inc_beta(n + 1.0, alpha, *_shares(beta, 1.0)),
    *(0.0, -math.inf, _never),
)
neg_binomial_cdf = _stepwise(
    lambda n, alpha, beta: inc_beta_of_pair(alpha, n + 1.0, *_shares(1.0, beta)),
    *(0.0, 1.0, _never),
)
neg_binomial_2_lcdf = _stepwise(
    lambda n, mu, phi: log_inc_beta(phi, n + 1.0, *_shares(mu, phi)),
    *(-math.inf, 0.0, _never),
)
neg_binomial_2_lccdf = _stepwise(
    lambda n, mu, phi: log_inc_beta(n + 1.0, phi, *_shares(phi, mu)),
    *(0.0, -math.inf, _never),
)
neg_binomial_2_cdf = _stepwise(
    lambda n, mu, phi: inc_beta_of_pair(phi, n + 1.0, *_shares(mu, phi)),
    *(0.0, 1.0, _never),
)
poisson_lcdf = _stepwise(lambda n, rate: log_gamma_q(n + 1.0, rate), *(-math.inf, 0.0, _never))
poisson_lccdf = _stepwise(lambda n, rate: log_gamma_p(n + 1.0, rate), *(0.0, -math.inf, _never))
poisson_cdf = _stepwise(lambda n, rate: gamma_q(n + 1.0, rate), *(0.0, 1.0, _never))


def discrete_range_cdf(y: Array, low: Array, high: Array) -> Array:
    """(y - low + 1) / (high - low + 1), between 0 and 1"""
    return maximum(0.0, minimum((y - low + 1.0) / (high - low + 1.0), 1.0))


def discrete_range_lcdf(y: Array, low: Array, high: Array) -> Array:
    """log F"""
    return log(discrete_range_cdf(y, low, high))


def discrete_range_lccdf(y: Array, low: Array, high: Array) -> Array:
    """log(1 - F)"""
    return log(1.0 - discrete_range_cdf(y, low, high))
