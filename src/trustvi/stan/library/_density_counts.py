"""Log probability masses of counts.

Factors that depend on data only are summed over the data before they meet a parameter that is
common to all of it, and functions of a count alone are computed once for each distinct count.
"""

from __future__ import annotations

from typing import Any

from trustvi.stan.library._dispatch import (
    exp,
    lbeta,
    lchoose,
    lgamma_positive,
    lgamma_rise,
    log,
    log1p,
    log1p_exp,
    log_inv_logit,
    where,
)
from trustvi.stan.library._terms import Terms

Array = Any


def bernoulli(terms: Terms, n: Array, theta: Array) -> None:
    """log(theta) for n = 1, log(1 - theta) for n = 0"""
    if terms.private(n, theta):
        terms.add_logs(n, theta, theta)
        terms.add_logs(1.0 - n, 1.0 - theta, theta)
    else:
        terms.add(log(where(n == 1.0, theta, 1.0 - theta)), theta)


def bernoulli_logit(terms: Terms, n: Array, alpha: Array) -> None:
    """log_inv_logit(alpha) for n = 1, log_inv_logit(-alpha) for n = 0"""
    if terms.private(n, alpha):
        terms.add_product((n, alpha), alpha)
        terms.add(-log1p_exp(alpha), alpha)
    else:
        terms.add(log_inv_logit((2.0 * n - 1.0) * alpha), alpha)


def binomial(terms: Terms, n: Array, size: Array, theta: Array) -> None:
    """lchoose(size, n) + n log(theta) + (size - n) log(1 - theta)"""
    terms.add_logs(n, theta, theta)
    terms.add_logs(size - n, 1.0 - theta, theta)
    terms.add(lchoose(size, n))


def binomial_logit(terms: Terms, n: Array, size: Array, alpha: Array) -> None:
    """lchoose(size, n) + n alpha - size log(1 + exp(alpha))"""
    terms.add_product((n, alpha), alpha)
    terms.add_product((-size, log1p_exp(alpha)), alpha)
    terms.add(lchoose(size, n))


def beta_binomial(terms: Terms, n: Array, size: Array, a: Array, b: Array) -> None:
    """lchoose(size, n) + lbeta(n + a, size - n + b) - lbeta(a, b)"""
    inside = (n >= 0.0) & (n <= size)
    terms.support(inside, a, b)
    n = where(inside, n, 0.0)
    terms.add(lbeta(n + a, size - n + b), a, b)
    terms.add(-lbeta(a, b), a, b)
    terms.add(lchoose(size, n))


def hypergeometric(terms: Terms, n: Array, size: Array, a: Array, b: Array) -> None:
    """lchoose(a, n) + lchoose(b, size - n) - lchoose(a + b, size)"""
    terms.add(lchoose(a, n) + lchoose(b, size - n) - lchoose(a + b, size))


def discrete_range(terms: Terms, y: Array, low: Array, high: Array) -> None:
    """-log(high - low + 1) for low <= y <= high"""
    terms.support((low <= y) & (y <= high))
    terms.add(-log(high - low + 1.0))


def poisson(terms: Terms, n: Array, rate: Array) -> None:
    """n log(rate) - rate - lgamma(n + 1)"""
    terms.add_logs(n, rate, rate)
    terms.add(-rate, rate)
    terms.add(-lgamma_positive(n + 1.0))


def poisson_log(terms: Terms, n: Array, alpha: Array) -> None:
    """n alpha - exp(alpha) - lgamma(n + 1)"""
    terms.add_product((n, alpha), alpha)
    terms.add(-exp(alpha), alpha)
    terms.add(-lgamma_positive(n + 1.0))


def _log_choices(n: Array, shape: Array) -> Array:
    """lchoose(n + shape - 1, n)"""
    return lgamma_rise(shape, n) - lgamma_positive(n + 1.0)


def neg_binomial(terms: Terms, n: Array, alpha: Array, beta: Array) -> None:
    """lchoose(n + alpha - 1, n) - alpha log(1 + 1 / beta) - n log(1 + beta)"""
    terms.add_counted(_log_choices, n, (alpha,), alpha)
    terms.add_product((-alpha, log1p(1.0 / beta)), alpha, beta)
    terms.add_product((-n, log1p(beta)), alpha, beta)


def neg_binomial_2(terms: Terms, n: Array, mu: Array, phi: Array) -> None:
    """lchoose(n + phi - 1, n) + n log(mu) - phi log(1 + mu / phi) - n log(mu + phi)"""
    terms.add_counted(_log_choices, n, (phi,), phi)
    terms.add_logs(n, mu, mu)
    terms.add_product((-phi, log1p(mu / phi)), mu, phi)
    terms.add_product((-n, log(mu + phi)), mu, phi)


def neg_binomial_2_log(terms: Terms, n: Array, eta: Array, phi: Array) -> None:
    """lchoose(n + phi - 1, n) + n eta - phi s - n (log(phi) + s), s = log1p_exp(eta - log(phi))"""
    log_phi = log(phi)
    softplus = log1p_exp(eta - log_phi)
    terms.add_counted(_log_choices, n, (phi,), phi)
    terms.add_product((n, eta), eta)
    terms.add_product((-phi, softplus), eta, phi)
    terms.add_product((-n, log_phi + softplus), eta, phi)
