"""Log densities of distributions of variates between bounds or on the circle."""

from __future__ import annotations

import math
from typing import Any

from trustvi.stan.library._dispatch import cos, lgamma_positive, log, log1m, log_i0
from trustvi.stan.library._terms import Terms

Array = Any
LOG_2_PI = math.log(2.0 * math.pi)


def beta(terms: Terms, y: Array, a: Array, b: Array) -> None:
    """(a - 1) log(y) + (b - 1) log(1 - y) + lgamma(a + b) - lgamma(a) - lgamma(b)"""
    terms.add_product((a - 1.0, log(y)), y, a)
    terms.add_product((b - 1.0, log1m(y)), y, b)
    terms.add(-lgamma_positive(a), a)
    terms.add(-lgamma_positive(b), b)
    terms.add(lgamma_positive(a + b), a, b)


def beta_proportion(terms: Terms, y: Array, mu: Array, kappa: Array) -> None:
    """The beta density with shapes mu kappa and (1 - mu) kappa"""
    a = mu * kappa
    b = kappa - a
    terms.add_product((a - 1.0, log(y)), y, mu, kappa)
    terms.add_product((b - 1.0, log1m(y)), y, mu, kappa)
    terms.add(lgamma_positive(kappa), kappa)
    terms.add(-lgamma_positive(a) - lgamma_positive(b), mu, kappa)


def von_mises(terms: Terms, y: Array, mu: Array, kappa: Array) -> None:
    """kappa cos(mu - y) - log(2 pi I_0(kappa))"""
    terms.add_product((kappa, cos(mu - y)), y, mu, kappa)
    terms.add(-log_i0(kappa), kappa)
    terms.add(-LOG_2_PI)


def uniform(terms: Terms, y: Array, low: Array, high: Array) -> None:
    """-log(high - low) for low <= y <= high"""
    terms.support((low <= y) & (y <= high), y, low, high)
    terms.add(-log(high - low), low, high)
