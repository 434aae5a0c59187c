"""First passage times of a Wiener process through the upper of two boundaries.

With t the time without the nondecision time and s = t / alpha^2, the density through the lower
boundary is exp(-delta alpha beta - delta^2 t / 2) / alpha^2 times that of the process without
drift between 0 and 1, which has a series for short and one for long times (Navarro and Fuss,
2009). For the upper boundary beta becomes 1 - beta, and delta -delta.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from trustvi.stan import _types as t
from trustvi.stan.library._density_real import HALF_LOG_2_PI
from trustvi.stan.library._dispatch import exp, log, log1p, sin, where
from trustvi.stan.library._namespace import namespace
from trustvi.stan.library._table import Convention, Row
from trustvi.stan.library._terms import Terms
from trustvi.stan.library._univariate import REALS, vectorised

Array = Any
LOG_PI = math.log(math.pi)
SWITCH = 0.7
"""At this scaled time nine terms of the one series and five of the other reach rounding."""
SHORT = np.arange(-4, 5)
LONG = np.arange(1, 6)


def _short_times(s: Array, w: Array) -> Array:
    """log of sum_k (w + 2k) exp(-(w + 2k)^2 / (2 s)) / sqrt(2 pi s^3)"""
    total = sum((w + 2.0 * k) * exp(-2.0 * k * (k + w) / s) for k in SHORT)
    return log(total) - 0.5 * w * w / s - HALF_LOG_2_PI - 1.5 * log(s)


def _long_times(s: Array, w: Array) -> Array:
    """log of pi sum_k k exp(-k^2 pi^2 s / 2) sin(k pi w)"""
    rate = 0.5 * math.pi**2 * s
    total = sum(k * exp(-(k * k - 1.0) * rate) * sin(k * math.pi * w) for k in LONG)
    return log(total) - rate + LOG_PI


def _log_passage(s: Array, w: Array) -> Array:
    """The log density of the process without drift that starts at w, through 0."""
    short = s < SWITCH
    return where(short, _short_times(where(short, s, 0.5), w), _long_times(where(short, 1.0, s), w))


def _log_density(time: Array, alpha: Array, beta: Array, delta: Array, spread: Array) -> Array:
    """With the drift normal around delta: its expectation of exp(-delta a w - delta^2 t / 2).

    exp(((sv a w)^2 - 2 a w delta - delta^2 t) / (2 (1 + sv^2 t))) / sqrt(1 + sv^2 t)
    """
    w, delta = 1.0 - beta, -delta
    shift, more = alpha * w, spread * spread * time
    drift = (spread * spread * shift * shift - 2.0 * shift * delta - delta * delta * time) / (
        2.0 * (1.0 + more)
    )
    passage = _log_passage(time / (alpha * alpha), w)
    return drift - 0.5 * log1p(more) + passage - 2.0 * log(alpha)


def _check(terms: Terms, y: Array, alpha: Array, tau: Array, beta: Array, delta: Array) -> None:
    terms.check("Random variable", y, "positive")
    terms.check("Boundary separation", alpha, "positive finite")
    terms.check("Nondecision time", tau, "nonnegative finite")
    terms.check_bounds("A-priori bias", beta, 0.0, 1.0)
    terms.check("Drift rate", delta, "finite", natural=True)
    terms.check_order("Random variable", y, ">", tau)


def _after(y: Array, tau: Array) -> Array:
    """The time since tau; 1 where it isn't positive and the density is none."""
    return where(y > tau, y - tau, 1.0)


def wiener(terms: Terms, y: Array, alpha: Array, tau: Array, beta: Array, delta: Array) -> None:
    """The drift is the same for all."""
    with np.errstate(all="ignore"):
        _check(terms, y, alpha, tau, beta, delta)
        value = _log_density(_after(y, tau), alpha, beta, delta, 0.0)
        terms.add(value, y, alpha, tau, beta, delta)


def wiener_drifts(terms: Terms, y: Array, alpha: Array, tau: Array, *rest: Array) -> None:
    """The drift varies normally: rest are beta, delta and the deviation of delta."""
    beta, delta, spread = rest
    with np.errstate(all="ignore"):
        _check(terms, y, alpha, tau, beta, delta)
        terms.check("Inter-trial variability in drift rate", spread, "nonnegative finite")
        value = _log_density(_after(y, tau), alpha, beta, delta, spread)
        terms.add(value, y, alpha, tau, *rest)


_BIASES, _BIAS_WEIGHTS = np.polynomial.legendre.leggauss(15)
_TIMES, _TIME_WEIGHTS = np.polynomial.legendre.leggauss(40)


def wiener_full(terms: Terms, y: Array, alpha: Array, tau: Array, *rest: Array) -> None:
    """Besides, beta varies uniformly by `range_beta` around its mean, tau upwards by `range_tau`.

    The mean of the density over both is taken by Gauss and Legendre's rule.
    """
    beta, delta, spread, range_beta, range_tau = rest
    with np.errstate(all="ignore"):
        _check(terms, y, alpha, tau, beta, delta)
        _check_ranges(terms, beta, spread, range_beta, range_tau)
        terms.add(_log_mean(_after(y, tau), alpha, *rest), y, alpha, tau, *rest)


def _check_ranges(
    terms: Terms, beta: Array, spread: Array, range_beta: Array, range_tau: Array
) -> None:
    what = "Inter-trial variability in "
    terms.check(f"{what}drift rate", spread, "nonnegative finite")
    terms.check_bounds(f"{what}A-priori bias", range_beta, 0.0, 1.0)
    terms.check_order(f"{what}A-priori bias", range_beta, "<", 2.0 * beta)
    terms.check_order(f"{what}A-priori bias", range_beta, "<", 2.0 * (1.0 - beta))
    terms.check(f"{what}Nondecision time", range_tau, "nonnegative finite")


def _log_mean(time: Array, alpha: Array, *rest: Array) -> Array:
    """log of the mean density over starting points and nondecision times."""
    beta, delta, spread, range_beta, range_tau = (each[..., None, None] for each in rest)
    time, alpha = time[..., None, None], alpha[..., None, None]
    short = range_tau < time
    reach = where(short, range_tau, time)
    inside = where(short, 1.0, time / where(short, 1.0, range_tau))
    start = beta + 0.5 * range_beta * _BIASES[:, None]
    times = time - reach * (0.5 + 0.5 * _TIMES)
    logs = _log_density(times, alpha, start, delta, spread)
    xp = namespace(logs)
    highest = xp.max(logs, axis=(-2, -1), keepdims=True)
    heights = xp.exp(logs - highest)
    mean = ((heights @ _TIME_WEIGHTS) * _BIAS_WEIGHTS).sum(axis=-1) / 4.0
    return xp.log(mean * inside[..., 0, 0]) + highest[..., 0, 0]


SCALARS = ((t.REAL,),)

ROWS: tuple[Row, ...] = (
    Row("wiener_lpdf", vectorised(t.REAL, *[REALS] * 5), Convention.DENSITY, wiener),
    Row("wiener_lpdf", vectorised(t.REAL, *SCALARS * 6), Convention.DENSITY, wiener_drifts),
    Row("wiener_lpdf", vectorised(t.REAL, *SCALARS * 8), Convention.DENSITY, wiener_full),
)
