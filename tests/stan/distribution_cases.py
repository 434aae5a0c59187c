"""Univariate distributions as SciPy knows them, and arguments to compare at.

Each case has the names of Stan, a frozen SciPy distribution as a function of the parameters, and
rows of arguments, the variate first.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import integrate, stats

Frozen = Any


@dataclass(frozen=True)
class Case:
    name: str
    frozen: Callable[..., Frozen]
    arguments: tuple[tuple[float, ...], ...]
    integers: int = 0
    """How many arguments, from the first, are integers."""

    @property
    def columns(self) -> list[np.ndarray]:
        """The arguments by position."""
        return [np.array(column, float) for column in zip(*self.arguments, strict=True)]


class SkewLaplace:
    """Two exponential tails with weights tau below and 1 - tau above mu."""

    def __init__(self, mu: float, sigma: float, tau: float):
        self.mu, self.sigma, self.tau = mu, sigma, tau

    def logpdf(self, y: float) -> float:
        side = 1 - self.tau if y < self.mu else self.tau
        height = 2 * self.tau * (1 - self.tau) / self.sigma
        return math.log(height) - 2 * side * abs(y - self.mu) / self.sigma

    def logcdf(self, y: float) -> float:
        if y < self.mu:
            return math.log(self.tau) - 2 * (1 - self.tau) * (self.mu - y) / self.sigma
        return math.log1p(-math.exp(self.logsf(y)))

    def logsf(self, y: float) -> float:
        if y < self.mu:
            return math.log1p(-math.exp(self.logcdf(y)))
        return math.log1p(-self.tau) - 2 * self.tau * (y - self.mu) / self.sigma

    def cdf(self, y: float) -> float:
        return math.exp(self.logcdf(y))


class VonMises:
    """On the circle cut at -pi and pi, by adaptive quadrature."""

    def __init__(self, mu: float, kappa: float):
        self.mu, self.kappa = mu, kappa

    def _mass(self, low: float, high: float) -> float:
        def height(t: float) -> float:
            return math.exp(self.kappa * (math.cos(t - self.mu) - 1))

        peaks = [p for p in (self.mu, self.mu - math.tau, self.mu + math.tau) if low < p < high]
        return integrate.quad(height, low, high, points=peaks or None, epsabs=0, limit=200)[0]

    def logpdf(self, y: float) -> float:
        whole = self._mass(-math.pi, math.pi)
        return self.kappa * (math.cos(y - self.mu) - 1) - math.log(whole)

    def cdf(self, y: float) -> float:
        return self._mass(-math.pi, y) / self._mass(-math.pi, math.pi)

    def logcdf(self, y: float) -> float:
        return math.log(self.cdf(y))

    def logsf(self, y: float) -> float:
        return math.log(self._mass(y, math.pi) / self._mass(-math.pi, math.pi))


def _scaled_inv_chi_square(nu: float, s: float) -> Frozen:
    return stats.invgamma(nu / 2, scale=nu * s * s / 2)


def _skew_normal(mu: float, sigma: float, alpha: float) -> Frozen:
    return stats.skewnorm(alpha, mu, sigma)


def _beta_proportion(mu: float, kappa: float) -> Frozen:
    return stats.beta(mu * kappa, (1 - mu) * kappa)


def _neg_binomial(alpha: float, beta: float) -> Frozen:
    return stats.nbinom(alpha, beta / (1 + beta))


def _neg_binomial_2(mu: float, phi: float) -> Frozen:
    return stats.nbinom(phi, phi / (mu + phi))


def _inv_logit(alpha: float) -> float:
    return 1 / (1 + math.exp(-alpha))


LOCATION_SCALE = (
    *((0.3, 0.0, 1.0), (-1.7, 0.4, 0.6), (12.0, -3.0, 2.5), (0.05, 0.045, 0.01)),
    *((-60.0, 1.0, 2.0), (700.0, -5.0, 1.0)),
)
POSITIVE_PAIRS = (
    *((0.3, 0.7, 1.1), (2.0, 3.5, 0.4), (11.0, 8.0, 2.0), (1.0, 1.0, 1.0), (40.0, 0.2, 3.0)),
    *((0.01, 1.5, 20.0), (150.0, 130.0, 0.9)),
)

CONTINUOUS = (
    Case("normal", stats.norm, LOCATION_SCALE),
    Case("std_normal", stats.norm, ((0.0,), (1.3,), (-2.4,), (38.0,), (-700.0,))),
    Case(
        "exp_mod_normal",
        lambda mu, sigma, rate: stats.exponnorm(1 / (sigma * rate), mu, sigma),
        (
            *((0.3, 0.0, 1.0, 1.0), (-1.7, 0.4, 0.6, 3.0), (9.0, -3.0, 2.5, 0.2)),
            *((-4.0, 0.0, 1.0, 2.5), (3.0, 1.0, 0.7, 4.0)),
        ),
    ),
    Case(
        "skew_normal",
        _skew_normal,
        (
            *((0.3, 0.0, 1.0, 0.5), (-1.7, 0.4, 0.6, -3.0), (9.0, -3.0, 2.5, 2.0)),
            *((-1.0, 1.0, 2.0, 4.0), (0.0, 0.0, 1.0, 0.0)),
        ),
    ),
    Case(
        "skew_double_exponential",
        SkewLaplace,
        (
            (0.3, 0.0, 1.0, 0.5),
            (-1.7, 0.4, 0.6, 0.9),
            (9.0, -3.0, 2.5, 0.2),
            (-90.0, 1.0, 2.0, 0.3),
        ),
    ),
    Case(
        "student_t",
        stats.t,
        (
            *((0.3, 3.0, 0.0, 1.0), (-1.7, 0.8, 0.4, 0.6), (9.0, 40.0, -3.0, 2.5)),
            *((-90.0, 4.5, 1.0, 2.0), (1.2, 1e6, 0.1, 1.0), (0.05, 2.0, 0.0, 1.0)),
        ),
    ),
    Case("cauchy", stats.cauchy, LOCATION_SCALE),
    Case("double_exponential", stats.laplace, LOCATION_SCALE),
    Case("logistic", stats.logistic, LOCATION_SCALE),
    Case("gumbel", stats.gumbel_r, (*LOCATION_SCALE[:4], (-3.0, 1.0, 2.0), (50.0, -5.0, 1.0))),
    Case(
        "lognormal",
        lambda mu, sigma: stats.lognorm(sigma, scale=math.exp(mu)),
        ((0.3, 0.0, 1.0), (12.0, 2.0, 0.6), (1e-4, -3.0, 2.5), (1e6, 1.0, 2.0)),
    ),
    Case("chi_square", stats.chi2, ((0.3, 0.7), (2.0, 3.5), (11.0, 8.0), (150.0, 130.0))),
    Case(
        "inv_chi_square",
        lambda nu: stats.invgamma(nu / 2, scale=0.5),
        ((0.3, 0.7), (2.0, 3.5), (0.1, 8.0), (15.0, 1.3)),
    ),
    Case("scaled_inv_chi_square", _scaled_inv_chi_square, POSITIVE_PAIRS[:6]),
    Case(
        "exponential",
        lambda beta: stats.expon(scale=1 / beta),
        ((0.3, 0.7), (2.0, 3.5), (700.0, 1.1), (1e-3, 2.0)),
    ),
    Case("gamma", lambda alpha, beta: stats.gamma(alpha, scale=1 / beta), POSITIVE_PAIRS),
    Case("inv_gamma", lambda alpha, beta: stats.invgamma(alpha, scale=beta), POSITIVE_PAIRS[:6]),
    Case("weibull", lambda a, s: stats.weibull_min(a, scale=s), POSITIVE_PAIRS[:5]),
    Case("frechet", lambda a, s: stats.invweibull(a, scale=s), POSITIVE_PAIRS[:5]),
    Case("rayleigh", lambda s: stats.rayleigh(scale=s), ((0.3, 0.7), (2.0, 3.5), (60.0, 2.0))),
    Case("loglogistic", lambda a, b: stats.fisk(b, scale=a), POSITIVE_PAIRS[:5]),
    Case(
        "pareto",
        lambda y_min, alpha: stats.pareto(alpha, scale=y_min),
        ((1.5, 0.7, 1.1), (9.0, 3.5, 0.4), (11.0, 8.0, 20.0)),
    ),
    Case(
        "pareto_type_2",
        lambda mu, scale, alpha: stats.lomax(alpha, mu, scale),
        ((1.5, 0.7, 1.1, 2.0), (9.0, -3.5, 0.4, 0.6), (11.0, 8.0, 20.0, 9.0)),
    ),
    Case(
        "beta",
        stats.beta,
        ((0.3, 0.7, 1.1), (0.9, 3.5, 0.4), (0.5, 80.0, 70.0), (1e-4, 1.0, 1.0), (0.2, 0.05, 9.0)),
    ),
    Case(
        "beta_proportion",
        _beta_proportion,
        ((0.3, 0.7, 1.1), (0.9, 0.5, 30.0), (0.02, 0.1, 2.0)),
    ),
    Case(
        "von_mises",
        VonMises,
        ((0.3, 0.0, 1.0), (-1.7, 0.4, 0.01), (1.0, 1.2, 70.0), (-3.0, 2.5, 4.0)),
    ),
    Case(
        "uniform",
        lambda low, high: stats.uniform(low, high - low),
        ((0.3, 0.0, 1.0), (-1.7, -2.0, 5.0), (3.0, 2.9, 3.5)),
    ),
)

DISCRETE = (
    Case("bernoulli", stats.bernoulli, ((0, 0.3), (1, 0.3), (1, 0.99), (0, 1e-3)), 1),
    Case(
        "bernoulli_logit",
        lambda alpha: stats.bernoulli(_inv_logit(alpha)),
        ((0, 0.3), (1, 0.3), (1, -7.0), (0, 3.0)),
        1,
    ),
    Case(
        "binomial",
        stats.binom,
        ((3, 10, 0.3), (0, 4, 0.9), (50, 50, 0.98), (400, 1000, 0.35), (0, 0, 0.5)),
        2,
    ),
    Case(
        "binomial_logit",
        lambda size, alpha: stats.binom(size, _inv_logit(alpha)),
        ((3, 10, 0.3), (0, 4, -2.0), (50, 50, 4.0), (400, 1000, -0.5)),
        2,
    ),
    Case(
        "beta_binomial",
        stats.betabinom,
        ((3, 10, 0.3, 2.0), (0, 4, 5.0, 1.0), (50, 50, 9.0, 0.4), (40, 100, 35.0, 60.0)),
        2,
    ),
    Case(
        "hypergeometric",
        lambda size, a, b: stats.hypergeom(a + b, a, size),
        ((1, 3, 4, 5), (3, 7, 9, 4), (0, 2, 5, 6)),
        4,
    ),
    Case(
        "discrete_range", lambda low, high: stats.randint(low, high + 1), ((3, 1, 6), (0, 0, 0)), 3
    ),
    Case("poisson", stats.poisson, ((3, 2.5), (0, 0.1), (900, 1000.0), (7, 3.0)), 1),
    Case("poisson_log", lambda a: stats.poisson(math.exp(a)), ((3, 0.9), (0, -3.0), (900, 6.8)), 1),
    Case("neg_binomial", _neg_binomial, ((3, 2.5, 0.7), (0, 0.1, 2.0), (90, 100.0, 1.1)), 1),
    Case(
        "neg_binomial_2",
        _neg_binomial_2,
        ((3, 2.5, 0.7), (0, 0.1, 2.0), (90, 100.0, 1.1), (20, 18.0, 1e4)),
        1,
    ),
    Case(
        "neg_binomial_2_log",
        lambda eta, phi: _neg_binomial_2(math.exp(eta), phi),
        ((3, 0.9, 0.7), (0, -2.0, 2.0), (90, 4.6, 1.1)),
        1,
    ),
)

CASES = {case.name: case for case in CONTINUOUS + DISCRETE}
