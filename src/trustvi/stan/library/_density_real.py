"""Log densities of distributions on the whole real line.

Each adds the summands of log p(y | parameters) to `terms`, stating on which arguments a summand
depends, that is, when Stan drops it from densities up to a constant.
"""

from __future__ import annotations

import math
from typing import Any

from trustvi.stan.library._dispatch import (
    absolute,
    erfcx,
    exp,
    lgamma_rise,
    log,
    log1m,
    log1p,
    log1p_exp,
    std_normal_lcdf,
    where,
)
from trustvi.stan.library._special_normal import SQRT_2
from trustvi.stan.library._terms import Terms

Array = Any
LOG_2 = math.log(2.0)
LOG_PI = math.log(math.pi)
HALF_LOG_2_PI = 0.5 * math.log(2.0 * math.pi)


def normal(terms: Terms, y: Array, mu: Array, sigma: Array) -> None:
    """-((y - mu) / sigma)^2 / 2 - log(sigma) - log(2 pi) / 2"""
    inverse = 1.0 / sigma
    terms.add_squares(y, mu, (inverse, inverse, -0.5), y, mu, sigma)
    terms.add(-log(sigma), sigma)
    terms.add(-HALF_LOG_2_PI)


def std_normal(terms: Terms, y: Array) -> None:
    """-y^2 / 2 - log(2 pi) / 2"""
    terms.add(-0.5 * y * y, y)
    terms.add(-HALF_LOG_2_PI)


def log_exp_mod_tail(z: Array, excess: Array) -> Array:
    """log(exp(-z excess + excess^2 / 2) 2 Phi(z - excess)), by the scaled tail where that is small.

    For w = z - excess < 0: -z^2 / 2 + log(erfcx(-w / sqrt(2))).
    """
    w = z - excess
    low = w < 0.0
    tail = log(erfcx(where(low, -w, 1.0) / SQRT_2)) - 0.5 * z * z
    return where(
        low, tail, excess * (0.5 * excess - z) + std_normal_lcdf(where(low, 0.0, w)) + LOG_2
    )


def exp_mod_normal(terms: Terms, y: Array, mu: Array, sigma: Array, rate: Array) -> None:
    """log(rate / 2) + rate (mu - y) + (rate sigma)^2 / 2 + log(erfc((rate sigma - z) / sqrt(2)))

    with z = (y - mu) / sigma.
    """
    terms.add(log_exp_mod_tail((y - mu) / sigma, rate * sigma), y, mu, sigma, rate)
    terms.add(log(rate), rate)
    terms.add(-LOG_2)


def skew_normal(terms: Terms, y: Array, mu: Array, sigma: Array, alpha: Array) -> None:
    """log(2) + log(phi(z)) + log(Phi(alpha z)) - log(sigma) with z = (y - mu) / sigma"""
    inverse = 1.0 / sigma
    terms.add_squares(y, mu, (inverse, inverse, -0.5), y, mu, sigma)
    terms.add(LOG_2 + std_normal_lcdf(alpha * ((y - mu) * inverse)), y, mu, sigma, alpha)
    terms.add(-log(sigma), sigma)
    terms.add(-HALF_LOG_2_PI)


def skew_double_exponential(terms: Terms, y: Array, mu: Array, sigma: Array, tau: Array) -> None:
    """log(2 tau (1 - tau) / sigma) - 2 |y - mu| / sigma (tau above mu, 1 - tau below)"""
    weight = where(y < mu, 1.0 - tau, tau)
    terms.add(-2.0 * weight * absolute(y - mu) / sigma, y, mu, sigma, tau)
    terms.add(log(tau) + log1m(tau), tau)
    terms.add(-log(sigma), sigma)
    terms.add(LOG_2)


def student_t(terms: Terms, y: Array, nu: Array, mu: Array, sigma: Array) -> None:
    """-(nu + 1)/2 log1p(z^2/nu) - log(pi nu)/2 - log(sigma) + lgamma((nu + 1)/2) - lgamma(nu/2)"""
    half = 0.5 * nu
    z = (y - mu) / sigma
    terms.add_product((-(half + 0.5), log1p(z * z / nu)), y, nu, mu, sigma)
    terms.add(lgamma_rise(half, 0.5) - 0.5 * log(nu), nu)
    terms.add(-log(sigma), sigma)
    terms.add(-0.5 * LOG_PI)


def cauchy(terms: Terms, y: Array, mu: Array, sigma: Array) -> None:
    """-log(1 + ((y - mu) / sigma)^2) - log(pi sigma)"""
    z = (y - mu) / sigma
    terms.add(-log1p(z * z), y, mu, sigma)
    terms.add(-log(sigma), sigma)
    terms.add(-LOG_PI)


def double_exponential(terms: Terms, y: Array, mu: Array, sigma: Array) -> None:
    """-|y - mu| / sigma - log(2 sigma)"""
    terms.add_product((absolute(y - mu), -1.0 / sigma), y, mu, sigma)
    terms.add(-log(sigma), sigma)
    terms.add(-LOG_2)


def logistic(terms: Terms, y: Array, mu: Array, sigma: Array) -> None:
    """-z - 2 log(1 + exp(-z)) - log(sigma) with z = (y - mu) / sigma"""
    z = (y - mu) / sigma
    terms.add(-z - 2.0 * log1p_exp(-z), y, mu, sigma)
    terms.add(-log(sigma), sigma)


def gumbel(terms: Terms, y: Array, mu: Array, beta: Array) -> None:
    """-z - exp(-z) - log(beta) with z = (y - mu) / beta"""
    z = (y - mu) / beta
    terms.add(-z - exp(-z), y, mu, beta)
    terms.add(-log(beta), beta)
